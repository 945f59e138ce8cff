import { anyBuild, type JsonObject, type UnfixedReason } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';
import { subscriptionLine } from '../../builds.ts';
import { fieldOf } from '../../json-fields.ts';
import type {
  OsvDialect,
  OsvEntryFacts,
  OsvIdentity,
  OsvPlace,
  OsvRecordFacts,
  VendorRating,
} from '../../osv/dialect.ts';
import { titleOf } from '../../osv/record-title.ts';
import { settleProEntries } from './esm-builds.ts';
import { fipsLine } from './fips.ts';
import { cvesOfEntry, priorityOf } from './priority.ts';
import { ubuntuRelease } from './releases.ts';

/** Source package names; see Debian policy 5.6.1. */
const packageName = /^[a-z0-9][a-z0-9.+-]{1,127}$/;
/** Begins with a digit (Debian policy 5.6.12). */
const sourceVersion = /^\d[A-Za-z0-9.+~:-]{0,199}$/;
const vulnerabilityId = /^UBUNTU-(CVE-\d{4}-\d{4,19})$/;
const noticeId = /^USN-\d{1,6}-\d{1,3}$/;
/** Notices of kernel live patches, which are modules, not packages. */
const livepatchId = /^LSN-\d{1,6}-\d{1,3}$/;

/** OSV of Ubuntu's security team: packages are source packages. */
export const ubuntuOsv: OsvDialect = {
  scheme: 'dpkg',
  placeOf,
  isPackageName: (name) => packageName.test(name),
  identify,
  rate,
  cvesOf: cvesOfEntry,
  buildsOf: (_version, { line }) => ({ ...anyBuild, line }),
  // Only entries of the same archives repeat each other, see placeOf.
  repeats: 'latest',
  settle: settleProEntries,
};

function identify(id: string): OsvIdentity | null {
  const cve = vulnerabilityId.exec(id)?.[1];
  if (cve !== undefined) {
    return { kind: 'vulnerability', cve, url: `https://ubuntu.com/security/${cve}` };
  }
  if (livepatchId.test(id)) return { kind: 'not_about_packages' };
  return noticeId.test(id) ? { kind: 'erratum', url: `https://ubuntu.com/security/notices/${id}` } : null;
}

function rate(
  specific: JsonObject,
  { id, record }: OsvRecordFacts,
  { entry, place }: OsvEntryFacts,
): VendorRating {
  return {
    severity: priorityOf(specific, entry, record),
    unfixed: unfixedBy(specific),
    service: serviceBy(specific, place.service, noticeId.test(id)),
  };
}

/** The tracker's statuses of affected packages without a published fix; current exports omit them. */
const statuses: ReadonlySet<string> = new Set([
  'needed',
  'needs-triage',
  'pending',
  'deferred',
  'in-progress',
  'ignored',
]);

/** Statuses that mean more than "no fix yet". "ignored" is a decision: too intrusive, or the line has ended. */
const reasons: ReadonlyMap<string, UnfixedReason> = new Map([
  ['ignored', 'will_not_fix'],
  ['needs-triage', 'under_investigation'],
]);

function unfixedBy(specific: JsonObject): VendorRating['unfixed'] {
  const status = textOf(specific, 'uct_status');
  if (!statuses.has(status)) return { kind: 'unfixed', reason: 'no_fix', detail: '' };
  const note = textOf(specific, 'uct_note');
  return {
    kind: 'unfixed',
    reason: reasons.get(status) ?? 'no_fix',
    detail: note === '' ? status : titleOf(`${status} (${note})`, null, status),
    ...(status === 'pending' && isVersion(note) ? { pending: note } : {}),
  };
}

/** A note can also be prose. */
function isVersion(note: string): boolean {
  return sourceVersion.test(note) && versionKey('dpkg', note).kind === 'key';
}

/**
 * The service that ships an entry's fixes. CVE records show the archive in their availability text: "(Infra-only)" is
 * esm-infra, the plain texts are esm-apps. Notices use the plain texts for both.
 */
function serviceBy(specific: JsonObject, ofPlace: string | null, isNotice: boolean): string | null {
  if (ofPlace !== null && ofPlace !== 'esm') return ofPlace;
  const availability = textOf(specific, 'availability').toLowerCase();
  if (!availability.startsWith('available with ubuntu ')) return ofPlace;
  if (availability.includes('legacy')) return 'esm-infra-legacy';
  if (availability.includes('infra')) return 'esm-infra';
  return isNotice ? 'esm' : 'esm-apps';
}

function textOf(object: JsonObject, key: string): string {
  const value = fieldOf(object, key);
  return typeof value === 'string' ? value.slice(0, 300).trim() : '';
}

/** `Ubuntu:22.04:LTS`, `Ubuntu:25.10`; the LTS is often omitted. */
const plain = /^Ubuntu:([\d.]{4,5})(?::LTS)?$/;
/** `Ubuntu:Pro:22.04:LTS`, `Ubuntu:Pro:FIPS-updates:22.04:LTS`. */
const pro = /^Ubuntu:Pro:(?:([A-Za-z-]{1,20}):)?([\d.]{4,5})(?::LTS)?$/;
const realtime = /^Ubuntu:Pro:([\d.]{4,5})(?::LTS)?:Realtime(?::Kernel)?$/;

/** The service of a product line of Ubuntu Pro, with its build line if package names do not show it. */
const products: ReadonlyMap<string, Pick<OsvPlace, 'service' | 'line'>> = new Map([
  ['FIPS', { service: 'fips', line: fipsLine }],
  ['FIPS-updates', { service: 'fips-updates', line: fipsLine }],
  ['FIPS-preview', { service: 'fips-preview', line: fipsLine }],
  // Its kernel has its own source.
  ['Realtime', { service: 'realtime-kernel', line: null }],
]);

/**
 * The place an Ubuntu ecosystem names. Null for product lines that hosts of the distribution do not have, such as
 * `Ubuntu:Nvidia-BlueField:22.04`. `Ubuntu:Pro` does not name which of its two archives ships a fix.
 */
function placeOf(ecosystem: string): OsvPlace | null {
  const everybodys = plain.exec(ecosystem)?.[1];
  if (everybodys !== undefined) return placed(everybodys, { service: null, line: null });
  const realtimes = realtime.exec(ecosystem)?.[1];
  if (realtimes !== undefined) return placed(realtimes, { service: 'realtime-kernel', line: null });
  const [, product, number] = pro.exec(ecosystem) ?? [];
  if (number === undefined) return null;
  const facts = product === undefined ? { service: 'esm', line: subscriptionLine } : products.get(product);
  return facts === undefined ? null : placed(number, facts);
}

function placed(number: string, facts: Pick<OsvPlace, 'service' | 'line'>): OsvPlace | null {
  const release = ubuntuRelease(number);
  return release === null ? null : { release, ...facts };
}
