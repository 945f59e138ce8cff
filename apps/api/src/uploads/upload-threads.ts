import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '@plimsoll/model';
import pLimit from 'p-limit';
import type { UploadToRead } from './understood-upload.ts';
import type { ThreadAnswer } from './upload-thread.ts';

/** Reading 32 MiB made to be slow takes about two seconds on an idle core. */
const longestMs = 60_000;
/** What a thread may hold of objects, besides buffers, in MiB. */
const heapMiB = 512;

/** Reads large uploads in threads, so that the event loop goes on answering. */
export interface UploadThreads {
  /** Throws what `understandWhole` throws. The bytes are copied, and stay usable. */
  read(upload: UploadToRead): Promise<Extract<ThreadAnswer, { kind: 'understood' }>>;
}

/** Threads that run a file, begun when they are first needed: one less than there are cores, one to four. */
export function createUploadThreads(threadFile: string): UploadThreads {
  const count = Math.min(4, Math.max(1, availableParallelism() - 1));
  const turns = pLimit(count);
  const idle: Worker[] = [];
  return {
    read: (upload) =>
      turns(async () => {
        const thread = idle.pop() ?? startThread(threadFile, idle);
        const answer = await ask(thread, upload);
        idle.push(thread);
        return understoodOf(answer);
      }),
  };
}

function startThread(file: string, idle: Worker[]): Worker {
  const thread = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: heapMiB } });
  // A process that has nothing else to do ends.
  thread.unref();
  // Told by the end that follows.
  thread.on('error', () => undefined);
  thread.once('exit', () => {
    const place = idle.indexOf(thread);
    if (place >= 0) idle.splice(place, 1);
  });
  return thread;
}

/** Rejects, and ends the thread, where it breaks or takes too long. */
function ask(thread: Worker, upload: UploadToRead): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    // One by one: a thread has listeners of its own that make it hear answers.
    const end = (settle: () => void) => {
      clearTimeout(timer);
      thread.off('message', answered).off('error', breakOff).off('exit', ended);
      settle();
    };
    const breakOff = (reason: unknown) =>
      end(() => {
        void thread.terminate();
        reject(reason);
      });
    const answered = (answer: ThreadAnswer) => end(() => resolve(answer));
    const ended = (code: number) => breakOff(new Error(`a thread that read an upload ended with ${code}`));
    const timer = setTimeout(
      () => breakOff(new Error('a thread took too long to read an upload')),
      longestMs,
    );
    thread.once('message', answered).once('error', breakOff).once('exit', ended);
    thread.postMessage(upload);
  });
}

function understoodOf(answer: ThreadAnswer): Extract<ThreadAnswer, { kind: 'understood' }> {
  switch (answer.kind) {
    case 'understood':
      return answer;
    case 'refused':
      throw new AppError(answer.code, answer.detail, { errors: answer.errors });
    case 'failed':
      throw new Error(`reading an upload failed in its thread: ${answer.stack}`);
    default:
      return answer satisfies never;
  }
}
