import { anyBuild, type JsonObject } from '@plimsoll/model';
import { withoutRebuildSuffix } from '../../builds.ts';
import { fieldOf } from '../../json-fields.ts';
import type { OsvDialect, OsvIdentity } from '../../osv/dialect.ts';
import { debianRelease } from './releases.ts';
import { severityOfUrgency } from './urgency.ts';

const ecosystem = 'Debian:';
/** The page of a record is this followed by its id. */
export const tracker = 'https://security-tracker.debian.org/tracker/';

/** Source package names; see Debian policy 5.6.1. */
export const packageName = /^[a-z0-9][a-z0-9.+-]{1,127}$/;
/** Current exports name records `DEBIAN-CVE-…`, older ones by the CVE. */
const vulnerabilityId = /^(?:DEBIAN-)?(CVE-\d{4}-\d{4,19})$/;
const erratumId = /^(?:DSA|DLA|DTSA)-\d{1,6}(?:-\d{1,3})?$/;

const endOfLife = 'end-of-life';

/** OSV as exported from Debian's security tracker: packages are source packages. */
export const debianOsv: OsvDialect = {
  scheme: 'dpkg',
  placeOf(name) {
    const release = name.startsWith(ecosystem) ? debianRelease(name.slice(ecosystem.length)) : null;
    return release === null ? null : { release, service: null, line: null };
  },
  isPackageName: (name) => packageName.test(name),
  identify,
  // Packages are compared by the versions of their sources, which no rebuild has.
  fixedVersionOf: withoutRebuildSuffix,
  buildsOf: () => anyBuild,
  repeats: 'any',
  rate(specific) {
    const value = fieldOf(specific, 'urgency');
    const urgency = typeof value === 'string' ? value.trim().toLowerCase() : '';
    return {
      severity: severityOfUrgency(urgency),
      unfixed:
        urgency === endOfLife
          ? { kind: 'unfixed', reason: 'will_not_fix', detail: endOfLife }
          : { kind: 'unfixed', reason: 'no_fix', detail: '' },
    };
  },
};

function identify(id: string, record: JsonObject): OsvIdentity | null {
  const cve = vulnerabilityId.exec(id)?.[1];
  if (cve !== undefined) return { kind: 'vulnerability', cve, url: tracker + cve };
  if (!erratumId.test(id)) return null;
  return isAboutSecurity(record) ? { kind: 'erratum', url: tracker + id } : { kind: 'not_about_security' };
}

/** The lists of ids that can name an erratum's CVEs. */
const idLists = ['aliases', 'related', 'upstream'];

/**
 * The text after the package in a title: `tzdata - new timezone database`, `debian-security-support -
 * update`.
 */
const typeInTitle = /^\S{1,128} - (.*)$/s;
const securityWord = /\bsecurity\b/i;

/**
 * Whether an erratum is about security: it lists ids of vulnerabilities, or the type in its title says so.
 * Others ship new data or repair an earlier update. A record of another form counts as one about security.
 */
function isAboutSecurity(record: JsonObject): boolean {
  const isEmpty = (list: unknown) => list === undefined || (Array.isArray(list) && list.length === 0);
  if (!idLists.every((key) => isEmpty(fieldOf(record, key)))) return true;
  const summary = fieldOf(record, 'summary');
  const type = typeof summary === 'string' ? typeInTitle.exec(summary.slice(0, 500))?.[1] : undefined;
  return type === undefined || securityWord.test(type);
}
