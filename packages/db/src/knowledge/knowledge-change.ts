import type { AdvisoryKey, KnowledgeChangeKind, MatchCause, PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../core/database.ts';
import { prepareChange } from '../core/locks.ts';
import { rowTable } from '../core/row-table.ts';
import { encodePackageSet } from '../ingest/package-set.ts';

/** A transaction that changes what is known about package versions, with its part of the ledger. */
export interface KnowledgeChange {
  readonly id: number;
  readonly kind: KnowledgeChangeKind;
  /** When it takes effect in the history. */
  readonly at: Date;
  readonly ledger: ChangeLedger;
}

/**
 * Begins a change: keeps other changes away until the transaction ends, and stores when this one takes effect. That is
 * now, or right after the last change if the database's clock went back.
 * @param feeds the imported ones.
 */
export async function beginKnowledgeChange(
  tx: PgTransaction,
  kind: KnowledgeChangeKind,
  feeds: readonly string[] = [],
): Promise<KnowledgeChange> {
  await prepareChange(tx);
  const { rows } = await tx.query<{ id: number; at: Date }>(
    `INSERT INTO knowledge_changes (at, kind, feeds)
     SELECT greatest(clock_timestamp(), (SELECT max(at) FROM knowledge_changes) + interval '1 ms'), $1, $2
     RETURNING id, at`,
    [kind, feeds],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a change was not stored');
  return { ...row, kind, ledger: new ChangeLedger() };
}

/** What a change does to an advisory. */
export type ChangeEvent = 'opened' | 'closed' | 'exploited' | 'no_longer_exploited';

/** Collects what a change does to which advisories. */
export class ChangeLedger {
  readonly #versions = new Map<string, PackageVersionId[]>();

  /** Notes that an advisory opened, closed or changed on a package version. */
  note(
    { advisory, event, cause }: { advisory: AdvisoryKey; event: ChangeEvent; cause: MatchCause },
    version: PackageVersionId,
  ): void {
    const key = `${advisory} ${event} ${cause}`;
    const known = this.#versions.get(key);
    if (known === undefined) this.#versions.set(key, [version]);
    else known.push(version);
  }

  /** Stores the entries. */
  async write(tx: PgTransaction, changeId: number): Promise<void> {
    if (this.#versions.size === 0) return;
    const { table, columns, values } = rowTable(
      'change_id int, advisory_id int, event text, cause text, ids bytea',
      [...this.#versions].map(([key, versions]) => {
        const [advisory, event = '', cause = ''] = key.split(' ');
        return { changeId, advisoryId: Number(advisory), event, cause, ids: encodePackageSet(versions).ids };
      }),
    );
    await tx.query(`INSERT INTO knowledge_change_entries (${columns}) SELECT * FROM ${table} n`, values);
  }
}
