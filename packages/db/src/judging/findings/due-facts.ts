import { type DueFacts, dueFactsOf, isVisible } from '@plimsoll/advisories';
import type { PackageVersionId, Statement } from '@plimsoll/model';
import type pg from 'pg';
import { datesOfStatements } from '../../knowledge/statement-dates.ts';

/** What due dates depend on of the visible statements among some. */
export async function loadDueFacts(
  client: pg.PoolClient,
  matched: ReadonlyMap<PackageVersionId, readonly Statement[]>,
): Promise<ReadonlyMap<Statement, DueFacts>> {
  const statements = new Set([...matched.values()].flat().filter(isVisible));
  const dates = await datesOfStatements(
    client,
    [...statements].map(({ statementId, fix, cves }) => ({
      statementId,
      isFixed: fix.kind === 'fixed',
      cves,
    })),
  );
  const facts = new Map<Statement, DueFacts>();
  for (const statement of statements) {
    const own = dates.get(statement.statementId);
    const due = own === undefined ? null : dueFactsOf({ ...statement, dates: own });
    if (due !== null) facts.set(statement, due);
  }
  return facts;
}
