import { Redis, type RedisOptions } from 'ioredis';

/**
 * An ioredis client whose disconnect() also works while the server is unavailable. ioredis 6.0 then only drops its
 * retry timer: the client never ends, waiting commands never settle, and a BullMQ worker never closes (bullmq #4656,
 * ioredis #2169).
 */
export class PromptRedis extends Redis {
  /** Ends the connection and rejects waiting commands. With `reconnect`, opens a new one at once. */
  override disconnect(reconnect = false): void {
    const wasAway = this.status === 'reconnecting';
    super.disconnect(reconnect);
    if (reconnect || !wasAway) return;
    // A connection attempt that is cancelled before it begins ends the client correctly.
    this.connect().catch(() => undefined); // always rejects: it was cancelled
    super.disconnect();
  }

  /**
   * A client of the same class and options, which BullMQ uses for its blocking connection. The type is `never`, because
   * ioredis derives the type of a duplicate from options that are unknown here; BullMQ does not depend on it.
   */
  override duplicate(override?: Partial<RedisOptions>): never {
    return new PromptRedis({ ...this.options, ...override } as never) as never; // see above
  }
}
