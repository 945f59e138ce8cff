import type { ServerEventName } from '@plimsoll/contract';
import type { HostScope } from '@plimsoll/model';

/** A client of the event stream. */
export interface Subscriber {
  readonly userId: string;
  readonly sessionId: string;
  /** Milliseconds until the access token expires. */
  readonly endsInMs: number;
  /** The hosts that the client may know of. */
  readonly scope: HostScope;
  readonly may: ReadonlySet<ServerEventName>;
  /** Id of the last event the client has seen; null for a new client. */
  readonly lastEventId: string | null;
  /** Whether token and session are still valid. */
  isAlive(): Promise<boolean>;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}
