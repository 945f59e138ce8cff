import { createHash } from 'node:crypto';
import type { PackageVersionId } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { SetRange, SetsByVersion } from './set-numbers.ts';
import { SetTail } from './set-tail.ts';

/** Numbers in all kept answers, of 4 bytes each: an answer has one for each set, also for those that are not in it. */
const keptNumbers = 1_000_000;

/** The versions that are looked for, the posted sets and the range of the others. */
interface SetQuestion {
  /** Ascending. */
  readonly versions: readonly PackageVersionId[];
  /** The number of posted sets. */
  readonly posted: number;
  readonly behind: SetRange;
}

/**
 * What questions about package sets have read: the sets behind the posted blocks, and the answers to the last questions,
 * because a list asks again for each of its pages. An answer is used until sets are added or posted anew; sets that were
 * deleted since may be in it. One for each process or thread.
 */
export class SetMemory {
  readonly tail = new SetTail();
  private readonly answers = new LRUCache<string, SetsByVersion>({
    maxSize: keptNumbers,
    sizeCalculation: ({ heldOf, held }) =>
      heldOf.room + held.reduce((sum, { length }) => sum + 1 + length, 1),
  });

  /** The kept answer to a question as of the snapshot of `client`, otherwise that of `read`. */
  async found(
    client: pg.Pool | pg.PoolClient,
    { versions, posted, behind }: SetQuestion,
    read: () => Promise<SetsByVersion>,
  ): Promise<SetsByVersion> {
    const asked = createHash('sha256').update(Int32Array.from(versions)).digest('base64');
    const key = `${asked} ${behind.first} ${posted} ${await this.tail.stateOf(client, behind)}`;
    const kept = this.answers.get(key);
    if (kept !== undefined) return kept;
    const found = await read();
    this.answers.set(key, found);
    return found;
  }
}
