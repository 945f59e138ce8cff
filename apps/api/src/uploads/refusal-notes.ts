import { setTimeout as delay } from 'node:timers/promises';
import type { UploadStore } from '@plimsoll/db';
import type { HostId, UploadDoor } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';

/** Refusals of one host within this time after a note, in milliseconds, share a note. */
const gatherMs = 1_000;

/** Adds refused uploads to the list of a host's uploads, at a limited rate. */
export interface RefusalNotes {
  /** Returns at once. A failed write is logged. */
  note(refused: { readonly hostId: HostId; readonly door: UploadDoor; readonly detail: string }): void;
}

interface Gathered {
  readonly hostId: HostId;
  readonly door: UploadDoor;
  detail: string;
  count: number;
}

/**
 * Notes written to a store: the first at once; further ones of the same host and door a second later, with their count.
 */
export function createRefusalNotes(
  uploads: Pick<UploadStore, 'noteRefusals' | 'touch'>,
  log: Logger,
): RefusalNotes {
  const gathering = new Map<string, Gathered>();

  const write = async ({ hostId, door, count, detail }: Gathered): Promise<void> => {
    try {
      if (door === 'agent') await uploads.touch(hostId);
      await uploads.noteRefusals({ hostId, door, count, detail });
    } catch (error) {
      log.warn({ hostId, count, err: error }, 'refused uploads could not be noted');
    }
  };

  const writeAll = async (key: string, gathered: Gathered): Promise<void> => {
    while (gathered.count > 0) {
      const now = { ...gathered };
      gathered.count = 0;
      await write(now);
      await delay(gatherMs, undefined, { ref: false });
    }
    gathering.delete(key);
  };

  return {
    note({ hostId, door, detail }) {
      const key = `${hostId} ${door}`;
      const known = gathering.get(key);
      if (known !== undefined) {
        known.count += 1;
        known.detail = detail;
        return;
      }
      const gathered = { hostId, door, detail, count: 1 };
      gathering.set(key, gathered);
      void writeAll(key, gathered);
    },
  };
}
