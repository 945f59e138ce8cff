import type { ServerEventName } from '@plimsoll/contract';

/** A client of the event stream. */
export interface Subscriber {
  readonly userId: string;
  readonly tokenId: string;
  /** In milliseconds since the epoch, by the hub's clock. */
  readonly tokenExpiresMs: number;
  readonly may: ReadonlySet<ServerEventName>;
  /** Id of the last event the client has seen; null for a new client. */
  readonly lastEventId: string | null;
  /** Whether the token is still valid. */
  isAlive(): Promise<boolean>;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}
