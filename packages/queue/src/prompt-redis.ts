import { Redis, type RedisOptions } from 'ioredis';

/**
 * An ioredis client whose disconnect() takes effect while the server is away, too. ioredis 6.0 then only drops its
 * retry timer: the client never ends, commands that wait never settle, and a BullMQ worker never closes (bullmq #4656,
 * ioredis #2169).
 */
export class PromptRedis extends Redis {
  /** Ends the connection; commands that wait reject. With `reconnect` a new one is made at once. */
  override disconnect(reconnect = false): void {
    const wasAway = this.status === 'reconnecting';
    super.disconnect(reconnect);
    if (reconnect || !wasAway) return;
    // An attempt to connect that is broken off before it began ends the client as it should.
    this.connect().catch(() => undefined); // always rejects: it was broken off
    super.disconnect();
  }

  /**
   * A client of the same kind and options; BullMQ makes its blocking connection with it. Typed as nothing, because
   * ioredis computes the type of a duplicate from options that are not known here, and BullMQ does not look at it.
   */
  override duplicate(override?: Partial<RedisOptions>): never {
    return new PromptRedis({ ...this.options, ...override } as never) as never; // see above
  }
}
