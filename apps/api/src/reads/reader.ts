import { Worker } from 'node:worker_threads';
import { AppError } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';
import type { Answer } from '../http/answer.ts';
import { createPieceQueue, errorOfFailure, type PieceQueue } from './piece-queue.ts';
import type {
  FromReader,
  MemoryQuestion,
  MemoryQuestions,
  ReaderSettings,
  ReadQuestion,
  ToReader,
} from './read-messages.ts';

/** Heap limit of the thread, without buffers, in MiB: eight reads of hosts with 50,000 packages need half. */
const heapMiB = 2_048;
/** Of new objects: half of what V8 takes by default, for somewhat more collections. */
const newObjectsMiB = 24;
/** Time for a thread to close its database connections. */
const stopMs = 5_000;
const retrySeconds = 5;

/** Runs large reads in a thread, so that the event loop stays free for other requests. */
export interface Reader {
  /**
   * Runs a read. Throws what its handler throws, `unavailable` if the thread breaks, and the signal's reason when it
   * aborts. Once it throws or the pieces end, the thread no longer works on the read.
   */
  answer(question: ReadQuestion, signal: AbortSignal): Promise<Answer>;
  /** Answers a question about the hosts in the memory of the thread. Throws `unavailable` if the thread breaks. */
  ask<Kind extends keyof MemoryQuestions>(
    kind: Kind,
    asked: MemoryQuestions[Kind]['asked'],
  ): Promise<MemoryQuestions[Kind]['told']>;
  /** Stops the thread. */
  stop(): Promise<void>;
}

/** Starts a thread with the built read-thread.ts; replaces it if it breaks. */
export function createReader(threadFile: string, settings: ReaderSettings, log: Logger): Reader {
  let last = 0;
  let current: Running | null = startThread(threadFile, settings, log);
  const running = (): Running => {
    if (current === null || current.isBroken()) current = startThread(threadFile, settings, log);
    return current;
  };
  return {
    answer: (question, signal) => answerTo(running(), ++last, question, signal),
    ask(kind, asked) {
      const { asking, send } = running();
      const read = ++last;
      return new Promise((resolve, reject) => {
        // Sent first: only a question that the thread got is remembered.
        send({ kind: 'ask', read, question: { kind, ...asked } as MemoryQuestion }); // A kind with its parameters.
        // The thread answers each kind of question as MemoryQuestions says.
        asking.set(read, { resolve: resolve as (answer: unknown) => void, reject });
      });
    },
    async stop() {
      await current?.stop();
      current = null;
    },
  };
}

/** A thread with its reads. */
interface Running {
  readonly reads: Map<number, PieceQueue>;
  readonly asking: Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>;
  send(message: ToReader): void;
  isBroken(): boolean;
  stop(): Promise<void>;
}

function startThread(threadFile: string, settings: ReaderSettings, log: Logger): Running {
  const thread = new Worker(threadFile, {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: newObjectsMiB },
  });
  const reads = new Map<number, PieceQueue>();
  const asking: Running['asking'] = new Map();
  let isBroken = false;
  let isStopping = false;
  const exited = new Promise<void>((resolve) => {
    thread.once('exit', (code) => {
      isBroken = true;
      if (!isStopping) log.error({ code }, 'the thread that reads ended; another one follows');
      for (const read of reads.values()) read.fail(brokenOff());
      reads.clear();
      for (const asked of asking.values()) asked.reject(brokenOff());
      asking.clear();
      resolve();
    });
  });
  thread.on('error', (error) => log.error({ err: error }, 'the thread that reads broke'));
  thread.on('message', (message: FromReader) => {
    if (message.kind === 'warning') {
      log.warn({ stack: message.stack }, message.message);
      return;
    }
    const asked = asking.get(message.read);
    asking.delete(message.read);
    if (message.kind === 'told') {
      asked?.resolve(message.answer);
      return;
    }
    if (message.kind === 'failed') asked?.reject(errorOfFailure(message.failure));
    reads.get(message.read)?.take(message);
    if (message.kind === 'end' || message.kind === 'failed') reads.delete(message.read);
  });
  return {
    reads,
    asking,
    send: (message) => thread.postMessage(message),
    isBroken: () => isBroken,
    async stop() {
      isStopping = true;
      thread.postMessage({ kind: 'stop' } satisfies ToReader);
      const late = setTimeout(() => void thread.terminate(), stopMs);
      await exited;
      clearTimeout(late);
    },
  };
}

async function answerTo(
  { reads, send }: Running,
  read: number,
  question: ReadQuestion,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  // Sent first: only a read that the thread got is remembered.
  send({ kind: 'read', read, question });
  const queue = createPieceQueue();
  reads.set(read, queue);
  const giveUp = () => send({ kind: 'gone', read });
  signal.addEventListener('abort', giveUp, { once: true });
  void queue.over.then(() => signal.removeEventListener('abort', giveUp));
  const head = await queue.head;
  if (head === null || signal.aborted) {
    await queue.over;
    throw signal.reason;
  }
  return { kind: 'made', ...head, pieces: piecesOf(queue, read, send) };
}

/** The pieces of a read; if the caller stops early, waits for the thread to stop too. */
async function* piecesOf(
  queue: PieceQueue,
  read: number,
  send: (message: ToReader) => void,
): AsyncIterable<Uint8Array> {
  try {
    yield* queue.pieces(() => send({ kind: 'more', read }));
  } finally {
    send({ kind: 'gone', read });
    await queue.over;
  }
}

function brokenOff(): AppError {
  return new AppError('unavailable', 'The read was broken off. Try again later.', {
    retryAfterSeconds: retrySeconds,
  });
}
