import { AppError } from '@plimsoll/model';

/** Bytes of uploads in memory at once: four hosts at the limit, or thousands as they are. */
const budgetBytes = 256 * 1024 * 1024;
const retrySeconds = 10;

/** Bounds what uploads on their way take of the memory, however many come at once. */
export interface UploadBudget {
  /** Does some work, which reserves bytes as it goes; they are free again when it ends. */
  use<T>(work: (reserve: Reserve) => Promise<T>): Promise<T>;
}

/** Reserves bytes. Throws `unavailable` when there is no room for them now. */
export type Reserve = (bytes: number) => void;

/** A budget with everything free. */
export function createUploadBudget(): UploadBudget {
  let used = 0;
  return {
    async use(work) {
      let mine = 0;
      try {
        return await work((bytes) => {
          if (used + bytes > budgetBytes) {
            throw new AppError('unavailable', 'Too many large uploads at once. Try again later.', {
              retryAfterSeconds: retrySeconds,
            });
          }
          used += bytes;
          mine += bytes;
        });
      } finally {
        used -= mine;
      }
    },
  };
}
