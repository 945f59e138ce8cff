import type { PgTransaction } from '../../core/database.ts';
import { correctionOf } from '../corrections.ts';

/** Links statements with the overrides about them. */
export async function linkOverrides(tx: PgTransaction): Promise<void> {
  await tx.query(
    `UPDATE advisory_packages ap SET override_id = o.id FROM ${correctionOf('ap')} AND ap.override_id IS DISTINCT FROM o.id`,
  );
}
