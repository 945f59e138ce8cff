import { createHash } from 'node:crypto';
import type { Database, PgTransaction } from '../core/database.ts';
import { readSealed, type SealedEvent } from './audit-chain.ts';

/** A position with the hash that it had at an earlier time. */
export interface KnownLink {
  readonly position: number;
  /** In hexadecimal. */
  readonly hash: string;
}

/** The result of checking the chain of audit events. */
export interface AuditVerdict {
  /** Null if the chain is whole; otherwise what is broken first. */
  readonly broken: { readonly position: number; readonly detail: string } | null;
  /** The position of the oldest event that is stored; what was before it was dropped by retention. */
  readonly first: number;
  /** The newest link, to be kept elsewhere; null without any event. */
  readonly head: KnownLink | null;
  /** How many events were checked. */
  readonly checked: number;
  /** Events that are not in the chain yet, and since when the oldest of them waits. */
  readonly unsealed: number;
  readonly unsealedSince: Date | null;
  /** Known links that retention has dropped since, so that nothing could be compared. */
  readonly unknown: number;
}

interface Ends {
  readonly first: number;
  readonly firstPrevious: string;
  readonly head: number;
  readonly headHash: string;
}

const batch = 2_000;

/**
 * Checks every stored event against its hash, the hashes against each other and the ends of the chain, in one view of the
 * database, and compares known links, which must be in ascending order. It reads only.
 */
export async function verifyAudit(
  { pool }: Database,
  known: AsyncIterable<KnownLink> | Iterable<KnownLink> = [],
): Promise<AuditVerdict> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const ends = await readEnds(client);
    const state = { checked: 0, unknown: 0, broken: null as AuditVerdict['broken'] };
    state.broken = await checkChain(client, ends, known, state);
    const { rows } = await client.query<{ events: number; since: Date | null }>(
      'SELECT count(*)::int AS events, min(at) AS since FROM audit_events WHERE position IS NULL',
    );
    return {
      ...state,
      first: ends.first,
      head: ends.head === 0 ? null : { position: ends.head, hash: ends.headHash },
      unsealed: rows[0]?.events ?? 0,
      unsealedSince: rows[0]?.since ?? null,
    };
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}

async function readEnds(client: PgTransaction): Promise<Ends> {
  const { rows } = await client.query<Record<keyof Ends, string>>(
    `SELECT first_position AS first, encode(first_previous, 'hex') AS "firstPrevious", head_position AS head,
       encode(head_hash, 'hex') AS "headHash" FROM audit_chain`,
  );
  const [row] = rows;
  if (row === undefined) return { first: 1, firstPrevious: '', head: 0, headHash: '' };
  return { ...row, first: Number(row.first), head: Number(row.head) };
}

/** What is broken first; counts what was checked in `state`. */
async function checkChain(
  client: PgTransaction,
  ends: Ends,
  known: AsyncIterable<KnownLink> | Iterable<KnownLink>,
  state: { checked: number; unknown: number },
): Promise<AuditVerdict['broken']> {
  if (ends.firstPrevious === '') return at(0, 'the row with the ends of the chain is gone');
  const unattested = await checkStart(client, ends);
  if (unattested !== null) return unattested;
  const expected = comparer(known);
  let last: KnownLink = { position: ends.first - 1, hash: ends.firstPrevious };
  for await (const event of sealedEvents(client)) {
    const detail = faultOf(event, last);
    if (detail !== null) return at(last.position + 1, detail);
    const other = await expected.differs(event, ends.first);
    if (other) return at(event.position, 'the event is not the one that was known: the log was rewritten');
    last = event;
    state.checked += 1;
  }
  state.unknown = expected.unknown();
  if (last.position !== ends.head || last.hash !== ends.headHash)
    return at(last.position + 1, `the newest events are gone: the chain ended at ${ends.head}`);
  const beyond = await expected.rest(ends.first);
  state.unknown = expected.unknown();
  return beyond === null ? null : at(last.position + 1, `events up to ${beyond} are known, and gone here`);
}

const at = (position: number, detail: string) => ({ position, detail });

function faultOf(event: SealedEvent, last: KnownLink): string | null {
  if (event.position < last.position + 1) return 'an event is before the start of the chain';
  if (event.position > last.position + 1)
    return `the event is gone; the next one is at position ${event.position}`;
  return hashOfEvent(last.hash, event.text) === event.hash ? null : 'the event or its hash was changed';
}

/** The hash of an event, in hexadecimal, from the previous hash and the event's text. */
export function hashOfEvent(previous: string, text: string): string {
  return createHash('sha256').update(`${previous}\n${text}`).digest('hex');
}

/** Retention notes in the log itself up to where it dropped events. */
async function checkStart(client: PgTransaction, ends: Ends): Promise<AuditVerdict['broken']> {
  if (ends.first === 1) {
    return /^0{64}$/.test(ends.firstPrevious) ? null : at(1, 'the start of the chain was changed');
  }
  const { rows } = await client.query(
    `SELECT FROM audit_events WHERE action = 'audit.dropped' AND actor_kind = 'system'
       AND details ->> 'through_position' = $1 AND details ->> 'through_hash' = $2 LIMIT 1`,
    [String(ends.first - 1), ends.firstPrevious],
  );
  return rows.length > 0
    ? null
    : at(ends.first, 'the events before it are gone, and no audit.dropped event says that retention did it');
}

async function* sealedEvents(client: PgTransaction): AsyncIterable<SealedEvent> {
  // Positions below zero are none, but rows that have one are found.
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const events = await readSealed(client, after, batch);
    yield* events;
    const last = events.at(-1);
    if (last === undefined || events.length < batch) return;
    after = last.position;
  }
}

/** Compares known links, in ascending order, with the events of the chain. */
function comparer(known: AsyncIterable<KnownLink> | Iterable<KnownLink>) {
  const links = walk(known);
  let next: KnownLink | null = null;
  let unknown = 0;
  /** The next known link from `first` on; null after the last. Counts those before `first`. */
  const peek = async (first: number): Promise<KnownLink | null> => {
    while (next === null) {
      const { done, value } = await links.next();
      if (done === true) return null;
      if (value.position < first) unknown += 1;
      else next = value;
    }
    return next;
  };
  return {
    unknown: () => unknown,
    async differs(event: SealedEvent, first: number): Promise<boolean> {
      for (let link = await peek(first); link !== null && link.position <= event.position; ) {
        if (link.position === event.position && link.hash !== event.hash) return true;
        next = null;
        link = await peek(first);
      }
      return false;
    },
    /** The last known position beyond the events that were compared; null without any. */
    async rest(first: number): Promise<number | null> {
      let beyond: number | null = null;
      for (let link = await peek(first); link !== null; link = await peek(first)) {
        beyond = link.position;
        next = null;
      }
      return beyond;
    },
  };
}

async function* walk<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void> {
  yield* items;
}
