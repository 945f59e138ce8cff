import { type AuditStore, isUuid, type NewAuditEvent } from '@plimsoll/db';
import type { AuditAction } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';
import { actorOfKnown, type CallerNames, type KnownCaller } from './known-caller.ts';

/** One denied request, or one read that the audit log records. */
export interface Access {
  readonly action: AuditAction;
  readonly caller: KnownCaller;
  /** The id of the operation. */
  readonly operation: string;
  /** The error code of a denial; null for a read. */
  readonly code: string | null;
  /** The host that the request is about; null if it is about none, or about many. */
  readonly hostId: string | null;
  readonly address: string;
  readonly requestId: string;
}

/**
 * Records denials and reads in the audit log: the first of a caller, operation and result within a minute at once, the
 * others of this minute as one event with their number. What is written in a minute is bounded, whatever is requested;
 * denials and reads apart, so that a flood of denied requests hides no read.
 */
export interface AccessNotes {
  note(access: Access): void;
  /** Writes what was counted. Also runs every minute, and before the database is closed. */
  flush(): Promise<void>;
}

/** Per minute and process, for denials and for reads: events written at once, and at the end of the minute. */
const most = { atOnce: 100, atEnd: 200 };
const everyMs = 60_000;
/** Host ids in one event, and addresses. */
const mostListed = 20;

/** The events of the requests above the bounds. */
const kinds = { denial: 'access.denied', read: 'data.exported' } as const;
type Kind = keyof typeof kinds;

interface Counted {
  readonly access: Access;
  /** Without the one that was written at once. */
  repeats: number;
  readonly hosts: Set<string>;
  /** Of the repetitions: a stolen credential is used from elsewhere. */
  readonly addresses: Set<string>;
}

/** What was recorded in the present minute. */
interface Minute {
  readonly counted: Map<string, Counted>;
  written: number;
  others: number;
}

/** Notes that are written to `audit`; `beforeClose` gets the last flush. */
export function createAccessNotes(options: {
  readonly audit: Pick<AuditStore, 'note'>;
  readonly names: CallerNames;
  readonly log: Pick<Logger, 'warn'>;
  beforeClose(work: () => Promise<void>): void;
}): AccessNotes {
  const { audit, names, log } = options;
  let minutes = newMinutes();
  let timer: NodeJS.Timeout | null = null;
  const writing = new Set<Promise<void>>();

  const write = (event: () => Promise<NewAuditEvent>): void => {
    const work = event()
      .then((each) => audit.note(each))
      .catch((error: unknown) => log.warn({ err: error }, 'access not recorded in the audit log'))
      .finally(() => writing.delete(work));
    writing.add(work);
  };
  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const ended = minutes;
    minutes = newMinutes();
    for (const kind of ['denial', 'read'] as const) {
      const { counted, others } = ended[kind];
      const repeated = [...counted.values()].filter(({ repeats }) => repeats > 0);
      const rest = repeated.slice(most.atEnd).reduce((sum, { repeats }) => sum + repeats, others);
      for (const each of repeated.slice(0, most.atEnd)) write(() => eventOf(each, names));
      if (rest > 0) write(async () => othersEvent(kind, rest));
    }
    await Promise.all(writing);
  };
  options.beforeClose(flush);
  return {
    flush,
    note(access) {
      timer ??= setTimeout(() => void flush(), everyMs).unref();
      const minute = minutes[access.code === null ? 'read' : 'denial'];
      const known = minute.counted.get(keyOf(access));
      if (known !== undefined) repeat(known, access);
      else if (minute.written < most.atOnce) {
        minute.written += 1;
        minute.counted.set(keyOf(access), newCounted(access));
        write(() => eventOf(newCounted(access), names));
      } else if (minute.counted.size < most.atOnce + most.atEnd) {
        const waiting = newCounted(access);
        repeat(waiting, access);
        minute.counted.set(keyOf(access), waiting);
      } else minute.others += 1;
    },
  };
}

function newMinutes(): Record<Kind, Minute> {
  const minute = (): Minute => ({ counted: new Map(), written: 0, others: 0 });
  return { denial: minute(), read: minute() };
}

function newCounted(access: Access): Counted {
  return { access, repeats: 0, hosts: new Set(), addresses: new Set() };
}

function repeat(known: Counted, { hostId, address }: Access): void {
  known.repeats += 1;
  if (hostId !== null && known.hosts.size < mostListed) known.hosts.add(hostId);
  if (address !== known.access.address && known.addresses.size < mostListed) known.addresses.add(address);
}

function keyOf({ action, caller, operation, code }: Access): string {
  return `${action} ${caller.kind} ${caller.id} ${operation} ${code ?? ''}`;
}

async function eventOf(
  { access, repeats, hosts, addresses }: Counted,
  names: CallerNames,
): Promise<NewAuditEvent> {
  const { action, caller, operation, code, hostId } = access;
  const isOne = repeats === 0 && hostId !== null && isUuid(hostId);
  return {
    action,
    actor: await actorOfKnown(caller, access, names),
    target: isOne ? { kind: 'host', id: hostId, name: null } : null,
    details: {
      operation,
      ...(code === null ? {} : { code }),
      ...(repeats === 0 ? {} : { repeats }),
      ...(hosts.size === 0 ? {} : { hosts: [...hosts] }),
      ...(addresses.size === 0 ? {} : { addresses: [...addresses] }),
    },
  };
}

function othersEvent(kind: Kind, requests: number): NewAuditEvent {
  const actor = { kind: 'system', id: null, name: 'api', ipAddress: null, requestId: null } as const;
  return { action: kinds[kind], actor, target: null, details: { others: requests } };
}
