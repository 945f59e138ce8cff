import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';
import type { ReadUpload, UploadThreads, UploadToRead } from './receive-upload.ts';
import { createSizedTurns } from './sized-turns.ts';
import type { ThreadAnswer } from './upload-thread.ts';

/** Reading 32 MiB of hostile input takes about two seconds on an idle core. */
const longestMs = 60_000;
/** Heap limit of a thread, without buffers, in MiB. */
const heapMiB = 512;

/** Threads that run a file, started on demand: one fewer than there are cores, from one to four. */
export function createUploadThreads(threadFile: string, log: Logger): UploadThreads {
  const turns = createSizedTurns(Math.min(4, Math.max(1, availableParallelism() - 1)));
  const idle = new Set<Worker>();
  const begin = (): Worker => {
    const thread = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: heapMiB } });
    // The thread must not keep the process alive.
    thread.unref();
    // A thread may also break between two uploads, which must not end the process.
    thread.on('error', (error) => {
      idle.delete(thread); // the event of its exit comes later
      log.warn({ err: error }, 'a thread that reads uploads broke');
    });
    thread.on('exit', () => idle.delete(thread));
    return thread;
  };
  const read = async (upload: UploadToRead): Promise<ReadUpload> => {
    const [thread = begin()] = idle;
    idle.delete(thread);
    const answer = await ask(thread, upload);
    idle.add(thread);
    return understoodOf(answer);
  };
  return { turn: (size, work) => turns.take(size, () => work(read)) };
}

/** Rejects and ends the thread if it breaks or takes too long. */
function ask(thread: Worker, upload: UploadToRead): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      thread.off('message', onAnswer).off('error', breakOff).off('exit', onExit);
      settle();
    };
    const breakOff = (cause: unknown) =>
      end(() => {
        void thread.terminate();
        reject(unreadable(cause));
      });
    const onAnswer = (answer: ThreadAnswer) => end(() => resolve(answer));
    const onExit = (code: number) => breakOff(new Error(`the thread ended with ${code}`));
    const timer = setTimeout(() => breakOff(new Error('the thread took too long')), longestMs);
    thread.on('message', onAnswer).on('error', breakOff).on('exit', onExit);
    thread.postMessage(upload, [upload.sent.buffer]);
  });
}

function understoodOf(answer: ThreadAnswer): ReadUpload {
  switch (answer.kind) {
    case 'understood':
      return answer;
    case 'refused':
      throw new AppError(answer.code, answer.detail, { errors: answer.errors });
    case 'failed':
      throw unreadable(new Error(answer.stack));
    default:
      return answer satisfies never;
  }
}

function unreadable(cause: unknown): AppError {
  return new AppError('internal', 'The upload could not be read.', { cause });
}
