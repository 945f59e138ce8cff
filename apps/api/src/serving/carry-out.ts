import type { Operations } from '@plimsoll/contract';
import type { Answer } from '../http/answer.ts';
import { appErrorOf } from '../http/app-error-of.ts';
import { lengthOf, rowPieces, slicesOf, textPieces } from '../http/exchange.ts';
import type { OperationRequest } from '../operations/operation-request.ts';
import type { ReadHandler, ReadServices } from '../operations/read-operation.ts';
import {
  type FromReader,
  type LargeReadId,
  piecesAhead,
  type ReadFailure,
  type ReadQuestion,
} from '../reads/read-messages.ts';
import { readHandlers } from './read-handlers.ts';

/** A read in progress in a thread. */
interface RunningRead {
  /** Another piece may be sent. */
  more(): void;
  /** The client has disconnected. */
  gone(): void;
  /** Resolves when everything was sent. Never rejects. */
  readonly over: Promise<void>;
}

const jsonType = 'application/json; charset=utf-8';

/** Starts a read and sends its answer in pieces as the caller takes them. */
export function carryOut(
  read: number,
  question: ReadQuestion,
  services: Pick<ReadServices, 'stores' | 'evidenceSecrets'> & {
    send(message: FromReader, moved?: readonly ArrayBuffer[]): void;
  },
): RunningRead {
  const gone = new AbortController();
  const turns = createTurns(piecesAhead);
  gone.signal.addEventListener('abort', turns.open, { once: true });
  const { send } = services;
  const work = async (): Promise<void> => {
    const answer = await answerOf(question, services, gone.signal);
    const { type, length, pieces } = piecesOf(answer);
    send({
      kind: 'head',
      read,
      head: { status: answer.status, headers: answer.headers ?? {}, type, length },
    });
    for await (const bytes of pieces) {
      await turns.next();
      if (gone.signal.aborted) return;
      send({ kind: 'piece', read, bytes }, [bytes.buffer]);
    }
  };
  return {
    more: turns.give,
    gone: () => gone.abort(),
    over: work().then(
      () => send({ kind: 'end', read }),
      (error: unknown) =>
        send(
          gone.signal.aborted ? { kind: 'end', read } : { kind: 'failed', read, failure: failureOf(error) },
        ),
    ),
  };
}

function answerOf(
  question: ReadQuestion,
  { stores, evidenceSecrets }: Pick<ReadServices, 'stores' | 'evidenceSecrets'>,
  signal: AbortSignal,
): Promise<Answer> {
  const { operation, preferredType, now, ...rest } = question;
  // The values were parsed with the schemas of the operation that the handler was typed with.
  const handler = readHandlers[operation] as unknown as ReadHandler<LargeReadId>;
  const request = {
    ...rest,
    waitSeconds: null,
    signal,
    accepts: (types: readonly string[]) => types.find((type) => type === preferredType) ?? null,
  } as OperationRequest<Operations[LargeReadId]>; // See above.
  return handler(request, { stores, evidenceSecrets, clock: () => now });
}

/** The bytes of an answer. Each piece is all of a buffer that nothing else uses: a message transfers it instead of copying it. */
function piecesOf(answer: Answer): {
  readonly type: string;
  readonly length: number | null;
  readonly pieces: Iterable<OwnBytes> | AsyncIterable<OwnBytes>;
} {
  switch (answer.kind) {
    case 'json':
      return wholeOf(jsonType, Buffer.from(JSON.stringify(answer.body)));
    case 'text':
      return { type: jsonType, length: lengthOf(answer.json.texts), pieces: textPieces(answer.json) };
    case 'prepared':
      return wholeOf(jsonType, answer.json);
    case 'bytes':
      return wholeOf(answer.type, answer.bytes);
    case 'rows':
      return { type: jsonType, length: null, pieces: rowPieces(answer.rows) };
    case 'document':
      return { type: jsonType, length: null, pieces: encoded(answer.pieces) };
    case 'pieces':
      return { type: answer.type, length: null, pieces: encoded(answer.pieces) };
    case 'made':
    case 'empty':
      throw new Error(`no read answers with ${answer.kind}`);
    default:
      return answer satisfies never;
  }
}

type OwnBytes = Uint8Array<ArrayBuffer>;

function wholeOf(type: string, bytes: Uint8Array) {
  return { type, length: bytes.byteLength, pieces: copiesOf(slicesOf(bytes)) };
}

function* copiesOf(pieces: Iterable<Uint8Array>): Iterable<OwnBytes> {
  for (const piece of pieces) yield new Uint8Array(piece);
}

async function* encoded(pieces: AsyncIterable<string | Uint8Array>): AsyncIterable<OwnBytes> {
  for await (const piece of pieces)
    yield new Uint8Array(typeof piece === 'string' ? Buffer.from(piece) : piece);
}

/** An error in a form that can be sent between threads. */
export function failureOf(error: unknown): ReadFailure {
  const { code, message, errors, retryAfterSeconds, cause } = appErrorOf(error);
  const stack = cause instanceof Error ? (cause.stack ?? cause.message) : null;
  return { code, detail: message, errors, retryAfterSeconds, stack };
}

/** A count of turns, given and taken one at a time; open turns are unlimited. */
function createTurns(count: number) {
  let left = count;
  let wake: () => void = () => undefined;
  const give = (more: number) => {
    left += more;
    wake();
  };
  return {
    give: () => give(1),
    open: () => give(Number.POSITIVE_INFINITY),
    async next(): Promise<void> {
      while (left <= 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      left -= 1;
    },
  };
}
