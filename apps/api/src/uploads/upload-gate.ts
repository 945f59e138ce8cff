import type { SenderPlaces } from './sender-places.ts';
import type { UploadPot, UploadRoom } from './upload-pot.ts';

/** Lets uploads in, so that no sender holds what others need. */
export interface UploadGate {
  /**
   * Does some work on an upload of a sender, which takes room as it goes; the room is free again when it ends. Waits for a
   * place of the sender, and throws what `SenderPlaces` and `UploadRoom` throw.
   */
  use<T>(sender: string, work: (room: UploadRoom) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A gate in front of the memory for uploads and the places of their senders. */
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
