import { setTimeout as delay } from 'node:timers/promises';
import { isImporting } from './locks.ts';
import type { Statements } from './transaction.ts';

/** The pause before looking again, and how long a look is good for. */
const lookAgainMs = 250;

/** How long background work waits. */
interface Patience {
  /** In all, in milliseconds: imports can follow one another without a break. */
  readonly mostMs: number;
  /** Ends the wait when something needs the result of the work. */
  readonly isAwaited?: () => boolean;
  /** Throws its reason when it aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Makes the wait of background work between two of its steps: while an import runs, or hosts of changed advisories are
 * not counted yet. Looks at most four times a second. Each caller that divides its work into steps makes its own.
 */
export function afterImports(
  client: Statements,
  { mostMs, isAwaited, signal }: Patience,
): () => Promise<void> {
  let leftMs = mostMs;
  let goodUntil = 0;
  return async () => {
    while (leftMs > 0 && isAwaited?.() !== true && performance.now() >= goodUntil) {
      if (!(await isImportingOrCounting(client))) {
        goodUntil = performance.now() + lookAgainMs;
        return;
      }
      await delay(lookAgainMs, undefined, { signal });
      leftMs -= lookAgainMs;
    }
  };
}

/** Whether an import runs or waits for its turn, or hosts of changed advisories are not counted yet. */
export async function isImportingOrCounting(client: Statements): Promise<boolean> {
  if (await isImporting(client)) return true;
  const { rows } = await client.query<{ counting: boolean }>(
    `SELECT EXISTS (SELECT FROM version_changes WHERE NOT counted) OR EXISTS (SELECT FROM recount_pieces) AS counting`,
  );
  return rows[0]?.counting === true;
}
