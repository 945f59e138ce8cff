import type { Advisory, JsonObject } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import { type FindProduct, readProductTree } from '../../csaf/product-tree.ts';
import {
  type CsafVulnerability,
  readVulnerability,
  vexStatuses,
  workaroundsFor,
} from '../../csaf/vulnerability.ts';
import { type AdvisoryReading, withCompleteness } from '../../feeds/advisories/advisory-feed.ts';
import { type RecordTools, recordTools } from '../../feeds/advisories/record-tools.ts';
import { objectOf } from '../../json-fields.ts';
import { titleOf } from '../../osv/record-title.ts';
import { severityOfWord } from '../../rpm/severity-word.ts';
import { rate } from '../../severity/rating.ts';
import { parseUpdateTime } from '../../updateinfo/update-time.ts';
import { type ComponentStatement, placeComponent } from './place-component.ts';
import { statementsOf } from './statements-of.ts';

const cveId = /^CVE-\d{4}-\d{4,19}$/;
const erratumId = /\/errata\/(RH[SBE]A-\d{4}:\d{3,6})$/;
const maxVulnerabilities = 100;
/** A CVE of a library in many products has some hundred errata; the distribution's own are fewer. */
const maxErrata = 100;
const maxCharacters = 500;
const maxTextCharacters = 1_000_000;

/**
 * Reads one document of Red Hat's VEX (CSAF 2.0, profile `csaf_vex`): per vulnerability the fixed builds and
 * the unfixed packages of Red Hat Enterprise Linux, and, as upstream's, of the distributions rebuilt from it.
 * Total. Errata of the distribution itself take precedence, so the document is read as an erratum, not as the
 * judgement of a whole release. Unaffected packages have no statement, because the feed states what is
 * unfixed and its silence means "not affected".
 */
export function readRedHatVex(json: unknown): AdvisoryReading {
  const tools = recordTools();
  const { issues, reject } = tools;
  const record = objectOf(json);
  if (record === null) return reject('not_an_object');
  const document = tools.fields.object(record, 'document', '');
  if (tools.fields.text(document, 'category', maxCharacters, '/document') !== 'csaf_vex')
    return reject('not_a_vex_document');
  const find = readProductTree(record, tools.fields);
  const items: Advisory[] = [];
  let hasId = false;
  for (const { entry, pointer } of tools.fields.objects(record, 'vulnerabilities', maxVulnerabilities, '')) {
    const vulnerability = readVulnerability(entry, pointer, tools);
    if (!cveId.test(vulnerability.cve)) continue;
    hasId = true;
    const advisory = advisoryIn({ document, entry, pointer, vulnerability, find }, tools);
    if (advisory !== null) items.push(withCompleteness(advisory, issues.list));
  }
  if (!hasId) return reject('invalid_id');
  const [first] = items;
  if (first === undefined) return { kind: 'skipped', reason: 'no_release_of_this_feed' };
  return { kind: 'read', items, asOf: first.modifiedAt, issues: issues.list, id: first.externalId };
}

interface Located {
  readonly document: JsonObject;
  readonly entry: JsonObject;
  readonly pointer: string;
  readonly vulnerability: CsafVulnerability;
  readonly find: FindProduct;
}

/** Null if the document states only that the distribution's packages are not affected. */
function advisoryIn(located: Located, tools: RecordTools): Advisory | null {
  const { document, entry, pointer, vulnerability } = located;
  const products = new Map<string, string>();
  const components = componentsOf(located, tools, products);
  const workarounds = workaroundsFor([vulnerability], products);
  const packages = statementsOf(components);
  if (packages.length === 0) return null;
  const { cve } = vulnerability;
  const { fields } = tools;
  const tracking = fields.object(document, 'tracking', '/document');
  const title =
    fields.text(document, 'title', maxTextCharacters, '/document') ??
    fields.text(entry, 'title', maxTextCharacters, pointer);
  return {
    externalId: cve,
    kind: 'erratum',
    title: titleOf(title, null, cve),
    url: `https://access.redhat.com/security/cve/${cve}`,
    publishedAt:
      timeIn(entry, 'release_date', pointer, tools) ?? timeIn(entry, 'discovery_date', pointer, tools),
    modifiedAt: timeIn(tracking, 'current_release_date', '/document/tracking', tools),
    withdrawnAt: null,
    aliases: errataOf(components),
    cves: [cve],
    cvss: components.find(({ cvss }) => cvss !== null)?.cvss ?? null,
    packages,
    ...(workarounds.length === 0 ? {} : { workarounds }),
  };
}

/** The document's statements about each component of the distribution. @param products gets their names by product id. */
function componentsOf(
  { document, vulnerability, find }: Located,
  { fields, issues }: RecordTools,
  products: Map<string, string>,
): readonly ComponentStatement[] {
  const aggregate = fields.text(
    fields.object(document, 'aggregate_severity', '/document'),
    'text',
    maxCharacters,
    '/document/aggregate_severity',
  );
  const components: ComponentStatement[] = [];
  for (const status of vexStatuses) {
    for (const id of vulnerability.products.get(status) ?? []) {
      const product = find(id);
      const placed = product === null ? null : placeComponent(product, status === 'fixed');
      if (placed === null) continue;
      if (placed.kind === 'unreadable') {
        issues.add(`/product_tree (${id.slice(0, 200)})`, placed.reason);
        continue;
      }
      if (status === 'fixed' && placed.component.evr === null)
        issues.add(`/product_tree (${id.slice(0, 200)})`, 'unparseable_version');
      products.set(id, placed.component.name);
      const cvss = vulnerability.cvss(id);
      const word = vulnerability.impact(id) ?? aggregate;
      components.push({
        ...placed.component,
        status,
        remedies: vulnerability.remedies(id),
        cvss,
        rating: rate(word === null ? null : severityOfWord(word), cvss),
      });
    }
  }
  return components;
}

/** The errata that fix packages of the distribution: security, bug fix and enhancement ones. */
function errataOf(components: readonly ComponentStatement[]): readonly string[] {
  const urls = components.flatMap(({ remedies }) => remedies.map(({ url }) => url));
  const ids = new Set(urls.flatMap((url) => erratumId.exec(url)?.[1] ?? []));
  return [...ids].sort(compareText).slice(0, maxErrata);
}

function timeIn(
  object: JsonObject,
  key: string,
  pointer: string,
  { fields, issues }: RecordTools,
): Date | null {
  const text = fields.text(object, key, maxCharacters, pointer);
  const time = text === null ? null : parseUpdateTime(text);
  if (text !== null && time === null) issues.add(`${pointer}/${key}`, 'invalid_time');
  return time;
}
