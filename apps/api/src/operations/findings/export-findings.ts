import { asksForExploitation } from '@plimsoll/advisories';
import type { FindingRows } from '@plimsoll/db';
import { fixStates } from '@plimsoll/model';
import { csvAnswer } from '../../http/csv-answer.ts';
import type { ReadHandler } from '../read-operation.ts';
import { findingAnswer } from './finding-answer.ts';
import { coverageHeaders, findingFiltersOf } from './list-findings.ts';

const columns = [
  'key',
  'title',
  'severity',
  'known_exploited',
  'epss',
  'due_at',
  'overdue_hosts',
  'hosts',
  'waived_hosts',
  'first_seen_at',
] as const;

/** Rows per piece. */
const rowsPerPiece = 1_000;

/** GET /findings.csv */
export const exportFindings: ReadHandler<'exportFindings'> = async ({ query, caller }, { stores, clock }) => {
  const groupBy = query.group_by ?? 'advisory';
  const question = { scope: caller.scope, groupBy, filters: findingFiltersOf(query), now: clock() };
  const { coverage } = await stores.findings.list({ ...question, limit: 1, after: null });
  const rows = await stores.findings.all(question);
  const [kev, { policy }] = await Promise.all([stores.cves.kevFreshness(), stores.policies.duePolicy()]);
  const lacksListings =
    (query.known_exploited === true && kev !== 'current') ||
    (await stores.cves.isDueExploitationUnknown(policy));
  const answer = await csvAnswer({
    // The table alone, perhaps an empty one, looks like everything.
    fileName: `plimsoll-findings-by-${groupBy}${coverage.unknownHosts > 0 || lacksListings ? '-incomplete' : ''}.csv`,
    columns: [...columns, ...fixStates.map((state) => `hosts_${state}`), 'workarounds'],
    rows: piecesOf(rows, {
      // Rows of packages and hosts are about many advisories.
      workarounds: async (keys) =>
        groupBy === 'advisory' || groupBy === 'cve'
          ? stores.advisoryViews.workarounds(groupBy, keys)
          : noTexts,
      isKevKnown: kev !== 'never_synced',
      isDueKnown: kev !== 'never_synced' || !asksForExploitation(policy),
    }),
  });
  return { ...answer, headers: { ...coverageHeaders(coverage), ...answer.headers } };
};

const noTexts: ReadonlyMap<string, string> = new Map();

interface Known {
  /** What vendors advise without a fix, by key of a row. */
  workarounds(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Whether CISA's catalog was ever synced; without it, that nothing is listed means nothing. */
  readonly isKevKnown: boolean;
  /** Whether it was, or no due date depends on it: without it, that nothing is overdue means nothing. */
  readonly isDueKnown: boolean;
}

async function* piecesOf(rows: FindingRows, { workarounds, isKevKnown, isDueKnown }: Known) {
  for (let first = 0; first < rows.length; first += rowsPerPiece) {
    const piece = rows.slice(first, first + rowsPerPiece);
    const advice = await workarounds(piece.map(({ key }) => key));
    yield piece.map((row) => {
      const found = findingAnswer(row);
      const answer = {
        ...found,
        known_exploited: found.known_exploited || (isKevKnown ? false : null),
        overdue_hosts: found.overdue_hosts || (isDueKnown ? 0 : null),
      };
      return [
        ...columns.map((column) => answer[column]),
        ...fixStates.map((state) => answer.hosts_by_fix_state[state] ?? 0),
        advice.get(row.key) ?? '',
      ];
    });
  }
}
