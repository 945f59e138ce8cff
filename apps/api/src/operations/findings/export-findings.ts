import type { Operations } from '@plimsoll/contract';
import type { FindingRow } from '@plimsoll/db';
import { fixStates } from '@plimsoll/model';
import { csvAnswer } from '../../http/csv-answer.ts';
import type { ReadHandler } from '../read-operation.ts';
import { findingAnswer } from './finding-answer.ts';
import { findingFiltersOf } from './list-findings.ts';

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
export const exportFindings: ReadHandler<Operations['exportFindings']> = async (
  { query, caller },
  { stores, clock },
) => {
  const groupBy = query.group_by ?? 'advisory';
  const rows = await stores.findings.all({
    scope: caller.scope,
    groupBy,
    filters: findingFiltersOf(query),
    now: clock(),
  });
  return csvAnswer({
    fileName: `plimsoll-findings-by-${groupBy}.csv`,
    columns: [...columns, ...fixStates.map((state) => `hosts_${state}`)],
    rows: piecesOf(rows),
  });
};

async function* piecesOf(rows: readonly FindingRow[]) {
  for (let first = 0; first < rows.length; first += rowsPerPiece)
    yield rows.slice(first, first + rowsPerPiece).map((row) => {
      const answer = findingAnswer(row);
      return [
        ...columns.map((column) => answer[column]),
        ...fixStates.map((state) => answer.hosts_by_fix_state[state] ?? 0),
      ];
    });
}
