import type { Message } from '../messages/message.ts';

/** A message on its way to a channel that takes requests. */
export interface Outgoing {
  readonly deliveryId: string;
  readonly url: URL;
  readonly secret: string | null;
  /** The secret before a rotation, while it is valid. */
  readonly previousSecret: string | null;
  readonly message: Message;
  readonly now: Date;
}
