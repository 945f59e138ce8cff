import type { JsonObject } from '@plimsoll/model';
import { fieldOf, listOf, objectOf } from '../../json-fields.ts';
import { type CveFeed, isCveId, type SsvcDecision, ssvcExploitations, ssvcImpacts } from './cve-feed.ts';

/**
 * CISA's Vulnrichment; a record is a CVE record with the container of CISA as authorized data publisher
 * (https://github.com/cisagov/vulnrichment).
 */
export const ssvcFeed: CveFeed = {
  id: 'cisa-ssvc',
  kind: 'cves',
  format: 'ssvc',
  title: 'CISA SSVC',
  distribution: null,
  files: [
    {
      url: 'https://github.com/cisagov/vulnrichment/archive/refs/heads/develop.zip',
      path: 'ssvc/vulnrichment-develop.zip',
      release: null,
    },
  ],
  limits: ['CISA does not decide about every CVE: no decision does not mean that a CVE is harmless.'],
  read(record) {
    const json = objectOf(record);
    if (json === null) return { kind: 'rejected', reason: 'not_an_object' };
    const cve = within(json, 'cveMetadata', 'cveId');
    if (!isCveId(cve)) return { kind: 'rejected', reason: 'invalid_id' };
    const stated = contentsOf(json);
    if (stated.length === 0) return { kind: 'skipped', reason: 'no_decision' };
    const decisions = stated.map((content) => decisionOf(content, cve)).filter((each) => each !== null);
    const [newest] = decisions.sort((a, b) => b.decidedAt.getTime() - a.decidedAt.getTime());
    if (newest === undefined) return { kind: 'rejected', reason: 'invalid_fact' };
    return { kind: 'read', items: [{ kind: 'ssvc', cve, ...newest }], asOf: newest.decidedAt, issues: [] };
  },
};

/** CISA's organisation in the CVE program. */
const cisaAdp = '134c704f-9b21-4f2e-91b3-4a467353bcc0';

/** The contents of the SSVC metrics in CISA's containers; other publishers can add metrics of their own. */
function contentsOf(record: JsonObject): readonly unknown[] {
  return listOf(within(record, 'containers', 'adp'))
    .filter((container) => within(container, 'providerMetadata', 'orgId') === cisaAdp)
    .flatMap((container) => listOf(within(container, 'metrics')))
    .map((metric) => within(metric, 'other'))
    .filter((other) => within(other, 'type') === 'ssvc')
    .map((other) => within(other, 'content'));
}

/** Returns the decision in an SSVC metric; null if it is about another CVE or lacks an answer. */
function decisionOf(content: unknown, cve: string): SsvcDecision | null {
  if (within(content, 'id') !== cve) return null;
  const options = listOf(within(content, 'options'));
  const exploitation = ssvcExploitations.find((word) => word === answerTo('Exploitation', options));
  const automatable = answerTo('Automatable', options);
  const technicalImpact = ssvcImpacts.find((word) => word === answerTo('Technical Impact', options));
  const decidedAt = timeOf(within(content, 'timestamp'));
  if (exploitation === undefined || technicalImpact === undefined || decidedAt === null) return null;
  if (automatable !== 'yes' && automatable !== 'no') return null;
  return { exploitation, automatable: automatable === 'yes', technicalImpact, decidedAt };
}

/** The first answer to a question in lower case: records of 2024 also have `Active` and `PoC`. */
function answerTo(question: string, options: readonly unknown[]): string | null {
  const answer = options.map((option) => within(option, question)).find((each) => each !== undefined);
  return typeof answer === 'string' && answer.length <= longestAnswer ? answer.toLowerCase() : null;
}

const longestAnswer = 20;

/** The value at a path of fields; undefined if a field on the way is missing. */
function within(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => fieldOf(objectOf(at) ?? {}, key), value);
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns a time with a zone; null for any other value. */
function timeOf(value: unknown): Date | null {
  if (typeof value !== 'string' || !isoTime.test(value)) return null;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? null : time;
}
