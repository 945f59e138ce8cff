import pLimit from 'p-limit';

/** Ten thousand packages fit in; a host has three thousand at most. */
const largeBytes = 4 * 1024 * 1024;

/** Keeps uploads that take long to read from doing so all at once. */
export interface UploadTurns {
  /** Does the work on an upload of so many bytes: at once on an ordinary one, on large ones one after the other. */
  of<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

/** Turns that nobody has taken. */
export function createUploadTurns(): UploadTurns {
  const large = pLimit(1);
  return {
    of: (bytes, work) => (bytes > largeBytes ? large(work) : work()),
  };
}
