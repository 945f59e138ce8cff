import type { SenderPlaces } from './sender-places.ts';
import type { UploadPot, UploadRoom } from './upload-pot.ts';

/** Admits uploads so that no sender takes the memory and places that others need. */
export interface UploadGate {
  /**
   * Runs work on a sender's upload; the work takes room as it goes, and the room is freed when the work ends. Waits for
   * a place of the sender and throws what `SenderPlaces` and `UploadRoom` throw.
   */
  use<T>(sender: string, work: (room: UploadRoom) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A gate that limits the memory for uploads and the places of their senders. */
export function createUploadGate(pot: UploadPot, places: SenderPlaces): UploadGate {
  return {
    async use(sender, work, signal) {
      const leavePlace = await places.enter(sender, signal);
      const room = pot.open(sender);
      try {
        return await work(room);
      } finally {
        room.leave();
        leavePlace();
      }
    },
  };
}
