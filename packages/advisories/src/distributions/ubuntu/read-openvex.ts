import { type AffectedPackage, anyBuild, type Fix, type JsonObject } from '@plimsoll/model';
import { subscriptionLine } from '../../builds.ts';
import { type AdvisoryReading, advisoryRead } from '../../feeds/advisories/advisory-feed.ts';
import { recordTools } from '../../feeds/advisories/record-tools.ts';
import { type JsonFieldReader, objectOf } from '../../json-fields.ts';
import { moreOpen } from '../../osv/read-packages.ts';
import { titleOf } from '../../osv/record-title.ts';
import { rate } from '../../severity/rating.ts';
import { parseUpdateTime } from '../../updateinfo/update-time.ts';
import { settleProEntries } from './esm-builds.ts';
import { numberOfUbuntuCodename, ubuntuRelease } from './releases.ts';

const cveId = /^CVE-\d{4}-\d{4,19}$/;
/** A source package: `pkg:deb/ubuntu/curl@7.81.0-1ubuntu1.24?arch=source&distro=esm-apps/jammy`. */
const sourceUrl =
  /^pkg:deb\/ubuntu\/([a-z0-9][a-z0-9.+-]{1,127})@[^?]{0,300}\?arch=source&distro=([a-z-]{1,30}\/)?([a-z]{1,30})$/;
/** Archives whose builds belong to the main line or the subscription line; others have their own lines. */
const lines: ReadonlyMap<string, string | null> = new Map([
  ['', null],
  ['esm-apps/', subscriptionLine],
  ['esm-infra/', subscriptionLine],
  ['esm-infra-legacy/', subscriptionLine],
]);
const maxStatements = 1_000;
const maxProducts = 200_000;
const maxUrlCharacters = 600;
const maxTextCharacters = 1_000_000;

/**
 * Reads one of Canonical's OpenVEX documents (https://openvex.dev): the packages of a CVE that are affected
 * or under investigation, by source. Total. Fixed and unaffected packages have no statement: OSV states
 * fixes, and its silence means "not affected". Skips documents of notices (USN), because those of their CVEs
 * state the same.
 */
export function readOpenVex(json: unknown): AdvisoryReading {
  const { issues, fields, reject } = recordTools();
  const document = objectOf(json);
  if (document === null) return reject('not_an_object');
  const statements = fields.objects(document, 'statements', maxStatements, '');
  const packages = new Map<string, AffectedPackage>();
  let cve: string | null = null;
  let description: string | null = null;
  for (const { entry, pointer } of statements) {
    const vulnerability = fields.object(entry, 'vulnerability', pointer);
    const name = fields.text(vulnerability, 'name', maxUrlCharacters, pointer) ?? '';
    if (!cveId.test(name) || (cve !== null && name !== cve)) continue;
    cve = name;
    description ??= fields.text(vulnerability, 'description', maxTextCharacters, pointer);
    const fix = unfixedIn(entry, pointer, fields);
    if (fix === null) continue;
    for (const product of fields.objects(entry, 'products', maxProducts, pointer))
      addSource(packages, fields.text(product.entry, '@id', maxUrlCharacters, product.pointer) ?? '', fix);
  }
  if (issues.list.length > 0 && cve === null) return reject('not_a_vex_document');
  if (cve === null || packages.size === 0) return { kind: 'skipped', reason: 'no_release_of_this_feed' };
  // Older documents have these fields in "metadata".
  const time =
    fields.text(document, 'timestamp', maxUrlCharacters, '') ??
    fields.text(fields.object(document, 'metadata', ''), 'timestamp', maxUrlCharacters, '/metadata');
  return advisoryRead(
    {
      // The id of the same record in OSV.
      externalId: `UBUNTU-${cve}`,
      kind: 'vulnerability',
      title: titleOf(null, description, cve),
      url: `https://ubuntu.com/security/${cve}`,
      publishedAt: null,
      modifiedAt: time === null ? null : parseUpdateTime(time),
      withdrawnAt: null,
      aliases: [],
      cves: [cve],
      cvss: null,
      packages: settleProEntries([...packages.values()]),
    },
    issues.list,
  );
}

type Unfixed = Extract<Fix, { kind: 'unfixed' }>;

/**
 * Canonical's phrases for a package that it will not fix: a decision, or the end of the release's support.
 */
const refusals = ['decided to not fix', 'no longer supported'];
const preamble = /^This package \(for the given release\)\s*/;
const ownNotes = ' CVE Notes / justification:';

/** Why a statement's packages have no fix; the only mapping of its words. Null: it states no missing fix. */
function unfixedIn(entry: JsonObject, pointer: string, fields: JsonFieldReader): Unfixed | null {
  const status = fields.text(entry, 'status', maxUrlCharacters, pointer);
  if (status !== 'affected' && status !== 'under_investigation') return null;
  const said = fields.text(entry, 'action_statement', maxTextCharacters, pointer) ?? '';
  const words = (said.split(ownNotes, 1)[0] ?? '').slice(0, 1_000).replace(preamble, '');
  const detail = words.trim() === '' ? '' : titleOf(words, null, '');
  if (status === 'under_investigation')
    return { kind: 'unfixed', reason: 'under_investigation', detail: detail || 'under investigation' };
  const isRefused = refusals.some((refusal) => words.includes(refusal));
  return { kind: 'unfixed', reason: isRefused ? 'will_not_fix' : 'no_fix', detail };
}

/** Adds a product that is a source package of a release; of repeated ones the more open one counts. */
function addSource(packages: Map<string, AffectedPackage>, url: string, fix: Unfixed): void {
  const [, name, archive = '', codename] = sourceUrl.exec(url) ?? [];
  const line = lines.get(archive);
  const number = codename === undefined ? null : numberOfUbuntuCodename(codename);
  const release = number === null ? null : ubuntuRelease(number);
  if (name === undefined || line === undefined || release === null) return;
  const key = `${release} ${name} ${line ?? ''}`;
  const known = packages.get(key)?.fix;
  packages.set(key, {
    release,
    name,
    ...rate(null, null),
    fix: known?.kind === 'unfixed' ? moreOpen(known, fix) : fix,
    builds: { ...anyBuild, line },
  });
}
