import type { Advisory, AffectedPackage, JsonObject, Rating, Workaround } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import { type CsafVulnerability, readVulnerability, workaroundsFor } from '../../csaf/vulnerability.ts';
import { type AdvisoryReading, advisoryRead } from '../../feeds/advisories/advisory-feed.ts';
import { type RecordTools, recordTools } from '../../feeds/advisories/record-tools.ts';
import { objectOf } from '../../json-fields.ts';
import { isRecordId } from '../../osv/read-ids.ts';
import { titleOf } from '../../osv/record-title.ts';
import { severityOfWord } from '../../rpm/severity-word.ts';
import { rate, worseRating } from '../../severity/rating.ts';
import { parseUpdateTime } from '../../updateinfo/update-time.ts';
import { fixedStatements } from './fixed-statements.ts';
import { suseUpdatePage } from './osv-dialect.ts';

const publisher = 'https://www.suse.com/';
const cveId = /^CVE-\d{4}-\d{4,19}$/;
/** The statuses of the builds that an update ships. */
const fixedStatuses = ['recommended', 'first_fixed', 'fixed'] as const;
/** An update of the kernel can list several hundred CVEs. */
const maxVulnerabilities = 5_000;
const maxProducts = 1_000_000;
const maxCharacters = 500;
const maxTextCharacters = 1_000_000;

/**
 * Reads one of SUSE's advisories in CSAF 2.0 (profile `csaf_security_advisory`): the fixed builds of each
 * product with their architectures, and SUSE's rating. Total. Skips documents of other publishers and
 * profiles; an advisory without a release of the feed has no items.
 */
export function readSuseCsaf(json: unknown): AdvisoryReading {
  const tools = recordTools();
  const { fields, issues, reject } = tools;
  const record = objectOf(json);
  if (record === null) return reject('not_an_object');
  const document = fields.object(record, 'document', '');
  if (isForeign(document, tools)) return { kind: 'skipped', reason: 'no_release_of_this_feed' };
  if (fields.text(document, 'category', maxCharacters, '/document') !== 'csaf_security_advisory')
    return reject('not_an_advisory');
  const tracking = fields.object(document, 'tracking', '/document');
  const id = fields.text(tracking, 'id', maxCharacters, '/document/tracking');
  if (!isRecordId(id)) return reject('invalid_id');
  const url = suseUpdatePage(id);
  if (url === null) return reject('unknown_id_form');
  const said = readVulnerabilities(record, tools);
  const packages = fixedStatements(said.products, ratingOf(document, said.rating, tools), tools);
  const modifiedAt = timeIn(tracking, 'current_release_date', tools);
  if (packages === 'unreadable') return reject('no_usable_package');
  if (packages.length === 0) return { kind: 'read', items: [], asOf: modifiedAt, issues: issues.list, id };
  return advisoryRead(
    advisoryOf({ id, url, document, tracking, modifiedAt }, said, packages, tools),
    issues.list,
  );
}

interface Described {
  readonly id: string;
  readonly url: string;
  readonly document: JsonObject;
  readonly tracking: JsonObject;
  readonly modifiedAt: Date | null;
}

function advisoryOf(
  { id, url, document, tracking, modifiedAt }: Described,
  { cves, workarounds }: Said,
  packages: readonly AffectedPackage[],
  tools: RecordTools,
): Advisory {
  return {
    externalId: id,
    kind: 'erratum',
    title: titleOf(tools.fields.text(document, 'title', maxTextCharacters, '/document'), null, id),
    url,
    publishedAt: timeIn(tracking, 'initial_release_date', tools),
    modifiedAt,
    withdrawnAt: null,
    aliases: [],
    cves,
    cvss: null,
    packages,
    ...(workarounds.length === 0 ? {} : { workarounds }),
  };
}

/** Whether the document is from another publisher than SUSE, or is a record of one CVE. */
function isForeign(document: JsonObject, { fields }: RecordTools): boolean {
  const stated = fields.object(document, 'publisher', '/document');
  const namespace = fields.text(stated, 'namespace', maxCharacters, '/document/publisher');
  if (namespace !== null && !`${namespace}/`.startsWith(publisher)) return true;
  return fields.text(document, 'category', maxCharacters, '/document') === 'csaf_vex';
}

/** The combined content of a document's vulnerabilities. */
interface Said {
  readonly cves: readonly string[];
  /** Ids of the products with a fixed build, each once. */
  readonly products: ReadonlySet<string>;
  /** The worst rating of any vulnerability. */
  readonly rating: Rating;
  readonly workarounds: readonly Workaround[];
}

function readVulnerabilities(record: JsonObject, tools: RecordTools): Said {
  const { fields } = tools;
  const cves = new Set<string>();
  const products = new Set<string>();
  const vulnerabilities: CsafVulnerability[] = [];
  let rating = rate(null, null);
  for (const { entry, pointer } of fields.objects(record, 'vulnerabilities', maxVulnerabilities, '')) {
    const vulnerability = readVulnerability(entry, pointer, tools);
    const { cve, impact, cvss } = vulnerability;
    vulnerabilities.push(vulnerability);
    if (cveId.test(cve)) cves.add(cve);
    const status = fields.object(entry, 'product_status', pointer);
    const own = fixedStatuses.flatMap((name) =>
      fields
        .list(status, name, maxProducts, `${pointer}/product_status`)
        .filter((id): id is string => typeof id === 'string'),
    );
    for (const id of own) products.add(id);
    const [first = ''] = own;
    rating = worseRating(rating, rate(severityOfWord(impact(first) ?? ''), cvss(first)));
  }
  // `SUSE Linux Enterprise Server 15 SP5:bash-5.1-1.1.x86_64`.
  const names = new Map([...products].map((id) => [id, /:(.+)-[^-]+-[^-]+$/.exec(id)?.[1] ?? id]));
  const workarounds = workaroundsFor(vulnerabilities, names);
  return { cves: [...cves].sort(compareText), products, rating, workarounds };
}

/** SUSE's rating of the whole update; if missing, the worst rating of its vulnerabilities. */
function ratingOf(document: JsonObject, worst: Rating, { fields }: RecordTools): Rating {
  const stated = fields.object(document, 'aggregate_severity', '/document');
  const word = fields.text(stated, 'text', maxCharacters, '/document/aggregate_severity');
  const severity = word === null ? null : severityOfWord(word);
  return severity === null ? worst : rate(severity, null);
}

function timeIn(tracking: JsonObject, key: string, { fields, issues }: RecordTools): Date | null {
  const text = fields.text(tracking, key, maxCharacters, '/document/tracking');
  const time = text === null ? null : parseUpdateTime(text);
  if (text !== null && time === null) issues.add(`/document/tracking/${key}`, 'invalid_time');
  return time;
}
