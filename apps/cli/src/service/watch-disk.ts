import { diskSpace, leastFreeBytes } from '@plimsoll/embedded';
import { fullDiskWords, megabytes } from './await-disk-space.ts';

const everyMs = 5_000;

/** Says when the disk of a folder is full, and when it has space again. The result stops it. */
export function watchDisk(folder: string, warn: (line: string) => void): () => Promise<void> {
  let isFull = false;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const space = await diskSpace(folder).catch(() => null); // it may be unmounted for a moment
    if (space === null || space.free < leastFreeBytes === isFull) return;
    isFull = !isFull;
    warn(
      isFull
        ? `${fullDiskWords(folder, space)} Reports that cannot be stored are refused, and agents send them again. ` +
            'Plimsoll goes on by itself when there is space.'
        : `The disk of ${folder} has space again: ${megabytes(space.free)} free.`,
    );
  };
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
