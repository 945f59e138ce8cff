import type { LRUCache } from 'lru-cache';
import { gatherCalls } from '../core/gather-calls.ts';
import { type IdRow, type Missing, mostTries } from './interned-rows.ts';

/** Called before new rows are inserted, with their number. Rejects if they must not be inserted. */
export type AdmitNew = (entries: number) => Promise<void>;

/** The table of one kind of distinct values. */
interface RowTable<T> {
  /** The stored rows with these digests; a condemned row does not count. */
  find(digests: readonly Buffer[]): Promise<readonly IdRow[]>;
  /** Stores rows, which are sorted by digest. Returns them, except those that another process has stored meanwhile. */
  insert(missing: readonly Missing<T>[]): Promise<readonly IdRow[]>;
}

/** Calls answered by one statement: the uploads of a batch. */
const callsAtOnce = 32;
/** Rows looked up or stored by one statement. */
const rowsPerStatement = 5_000;

/** A value without a known row, and the text that only equal values share. */
type Unknown<T> = Missing<T> & { readonly key: string };
/** By digest, in latin1. */
type ByDigest<V> = ReadonlyMap<string, V>;

/**
 * The ids of the rows of one table, found or stored. Calls at the same time share statements. A row that several of them
 * lack is admitted and stored by the first of them; the others wait for it, and try themselves if it fails.
 */
export class RowIds<T> {
  private readonly table: RowTable<T>;
  private readonly cache: LRUCache<string, number>;
  /** By digest: settles when the call that stores the row has ended. Never rejects. */
  private readonly claims = new Map<string, Promise<void>>();
  private readonly find = gatherCalls<ByDigest<Missing<T>>, ByDigest<number>>({
    run: (calls) => this.findAll(calls),
    most: callsAtOnce,
    runsAtOnce: 1,
  });
  private readonly insert = gatherCalls<ByDigest<Missing<T>>, ByDigest<number>>({
    run: (calls) => this.insertAll(calls),
    most: callsAtOnce,
    runsAtOnce: 1,
  });

  constructor(table: RowTable<T>, cache: LRUCache<string, number>) {
    this.table = table;
    this.cache = cache;
  }

  /** The ids of items, of which `keys` are the texts that only equal ones share, in order. Rejects as `admit` does. */
  async idsOf(
    items: readonly T[],
    keys: readonly string[],
    digestOf: (key: string) => Buffer,
    admit: AdmitNew,
  ): Promise<number[]> {
    const found = new Map<string, number>();
    const unknown = new Map<string, Unknown<T>>();
    for (const [index, key] of keys.entries()) {
      const id = this.cache.get(key);
      if (id !== undefined) found.set(key, id);
      else {
        const digest = digestOf(key);
        unknown.set(digest.toString('latin1'), { digest, item: items[index] as T, key }); // One key for each item.
      }
    }
    const take = (ids: ByDigest<number>): void => {
      for (const [digest, { key }] of unknown) {
        const id = ids.get(digest);
        if (id === undefined) continue;
        this.cache.set(key, id);
        found.set(key, id);
        unknown.delete(digest);
      }
    };
    if (unknown.size > 0) take(await this.find(unknown));
    while (unknown.size > 0) {
      const free = new Map([...unknown].filter(([digest]) => !this.claims.has(digest)));
      if (free.size > 0) take(await this.store(free, admit));
      else {
        await Promise.all([...unknown.keys()].map((digest) => this.claims.get(digest)));
        take(await this.find(unknown));
      }
    }
    return keys.map((key) => found.get(key) ?? 0); // Every key was found above.
  }

  /** Admits and stores rows that no other call stores; they are claimed until it has ended. */
  private store(free: ByDigest<Missing<T>>, admit: AdmitNew): Promise<ByDigest<number>> {
    const stored = (async () => {
      try {
        await admit(free.size);
        return await this.insert(free);
      } finally {
        for (const digest of free.keys()) this.claims.delete(digest);
      }
    })();
    const ended = stored.then(
      () => undefined,
      () => undefined,
    );
    for (const digest of free.keys()) this.claims.set(digest, ended);
    return stored;
  }

  private async findAll(calls: readonly ByDigest<Missing<T>>[]): Promise<readonly ByDigest<number>[]> {
    const ids = await this.idsIn([...together(calls).values()]);
    return calls.map(() => ids);
  }

  private async insertAll(calls: readonly ByDigest<Missing<T>>[]): Promise<readonly ByDigest<number>[]> {
    const missing = together(calls);
    const ids = new Map<string, number>();
    // What another process has stored meanwhile can be condemned or deleted before it is found: then it is stored again.
    for (let tries = 0; ids.size < missing.size; tries++) {
      if (tries === mostTries) throw new Error('an interned row was not found again');
      const left = [...missing].filter(([digest]) => !ids.has(digest)).map(([, row]) => row);
      const sorted = left.sort((a, b) => Buffer.compare(a.digest, b.digest));
      for (const piece of inPieces(sorted))
        for (const row of await this.table.insert(piece)) ids.set(row.digest.toString('latin1'), row.id);
      const missed = sorted.filter(({ digest }) => !ids.has(digest.toString('latin1')));
      for (const [digest, id] of await this.idsIn(missed)) ids.set(digest, id);
    }
    return calls.map(() => ids);
  }

  private async idsIn(rows: readonly Missing<T>[]): Promise<Map<string, number>> {
    const ids = new Map<string, number>();
    for (const piece of inPieces(rows))
      for (const row of await this.table.find(piece.map(({ digest }) => digest)))
        ids.set(row.digest.toString('latin1'), row.id);
    return ids;
  }
}

function together<V>(calls: readonly ByDigest<V>[]): ByDigest<V> {
  return new Map(calls.flatMap((call) => [...call]));
}

function inPieces<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, n) =>
    rows.slice(n * rowsPerStatement, (n + 1) * rowsPerStatement),
  );
}
