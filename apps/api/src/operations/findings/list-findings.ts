import type { FindingCoverage, FindingFilters, FindingPlace, FindingRow } from '@plimsoll/db';
import { gapsOfBits, severities } from '@plimsoll/model';
import { z } from 'zod';
import { askedPage } from '../../http/page.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { findingAnswer } from './finding-answer.ts';

/** GET /findings */
export const listFindings: ReadHandler<'listFindings'> = async (request, { stores, clock }) => {
  const { query, caller } = request;
  const page = askedPage(request, '/api/v1/findings', placeSchema);
  const {
    total,
    rows: found,
    coverage,
  } = await stores.findings.list({
    scope: caller.scope,
    groupBy: query.group_by ?? 'advisory',
    filters: findingFiltersOf(query),
    limit: page.limit + 1,
    after: page.after,
    now: clock(),
  });
  const { rows, headers } = page.of(found, total, placeOf);
  return {
    kind: 'json',
    status: 200,
    headers: { ...coverageHeaders(coverage), ...headers },
    body: rows.map(findingAnswer),
  };
};

/** Of how many hosts not all findings are known, and why. */
export function coverageHeaders({ gaps, unknownHosts, uncountedHosts }: FindingCoverage) {
  return {
    'Plimsoll-Gaps': gapsOfBits(gaps).join(', '),
    'Plimsoll-Unknown-Hosts': String(unknownHosts),
    'Plimsoll-Uncounted-Hosts': String(uncountedHosts),
  } as const;
}

type Query = Parameters<Handler<'exportFindings'>>[0]['query'];

/** The filters of a query for findings. */
export function findingFiltersOf(query: Query): FindingFilters {
  const { severity, tag, q, advisory, cve, host } = query;
  return given({
    severity,
    tag,
    q,
    advisory,
    cve: cve?.toUpperCase(),
    host,
    package: query.package,
    knownExploited: query.known_exploited,
    fixState: query.fix_state,
    overdue: query.overdue === undefined ? undefined : (true as const),
    firstSeenBefore: query.first_seen_before,
    includeWaived: query.include_waived,
    onlyWaived: query.only_waived === undefined ? undefined : (true as const),
  });
}

const placeSchema = z
  .strictObject({
    d: z.number().nullable(),
    k: z.boolean(),
    s: z.enum(severities),
    e: z.number().nullable(),
    h: z.int().min(0),
    i: z.string().max(1_000),
  })
  .transform(
    ({ d, k, s, e, h, i }): FindingPlace => ({
      dueAt: d,
      knownExploited: k,
      severity: s,
      epss: e,
      hosts: h,
      key: i,
    }),
  );

function placeOf(row: FindingRow): z.input<typeof placeSchema> {
  const { dueAt: d, knownExploited: k, severity: s, epss: e, hosts: h, key: i } = row;
  return { d, k, s, e, h, i };
}
