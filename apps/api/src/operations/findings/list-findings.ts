import type { FindingCoverage, FindingFilters, FindingPlace, FindingRow } from '@plimsoll/db';
import { gapsOfBits, severities } from '@plimsoll/model';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { pageOf } from '../../http/page.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { findingAnswer } from './finding-answer.ts';

const defaultLimit = 100;

/** GET /findings */
export const listFindings: ReadHandler<'listFindings'> = async (
  { query, origin, caller },
  { stores, clock },
) => {
  const limit = query.limit ?? defaultLimit;
  const { total, rows, coverage } = await stores.findings.list({
    scope: caller.scope,
    groupBy: query.group_by ?? 'advisory',
    filters: findingFiltersOf(query),
    limit: limit + 1,
    after: query.cursor === undefined ? null : readCursor(query.cursor),
    now: clock(),
  });
  const { first_seen_before: before, ...others } = query;
  const page = pageOf(rows, {
    limit,
    total,
    cursorOf: writeCursor,
    place: {
      origin,
      path: '/api/v1/findings',
      query: before === undefined ? others : { ...others, first_seen_before: before.toISOString() },
    },
  });
  return {
    kind: 'json',
    status: 200,
    headers: { ...coverageHeaders(coverage), ...page.headers },
    body: page.rows.map(findingAnswer),
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
  const given = {
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
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const cursorSchema = z.strictObject({
  d: z.number().nullable(),
  k: z.boolean(),
  s: z.enum(severities),
  e: z.number().nullable(),
  h: z.int().min(0),
  i: z.string().max(1_000),
});

function writeCursor({ dueAt, knownExploited, severity, epss, hosts, key }: FindingRow): string {
  return encodeCursor({
    d: dueAt,
    k: knownExploited,
    s: severity,
    e: epss,
    h: hosts,
    i: key,
  } satisfies z.output<typeof cursorSchema>);
}

function readCursor(cursor: string): FindingPlace {
  const { d, k, s, e, h, i } = decodeCursor(cursor, cursorSchema);
  return { dueAt: d, knownExploited: k, severity: s, epss: e, hosts: h, key: i };
}
