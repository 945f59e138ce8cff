import { clockAheadMs } from '@plimsoll/model';
import { Queue, Worker } from 'bullmq';
import type { Backend } from './backend.ts';
import {
  type BullQueue,
  limitConcurrency,
  openReceiver,
  openSender,
  processorOf,
  queueOptions,
  workerOptions,
} from './bull.ts';
import type { JobSpec } from './jobs.ts';
import { PromptRedis } from './prompt-redis.ts';
import { tryWrite } from './try-write.ts';

/** Milliseconds after which a send command times out and its ring counts as lost. */
const commandTimeoutMs = 5_000;

/**
 * The queue on Redis or Valkey, 6.2 or newer, with maxmemory-policy noeviction. One connection sends; each receiver has
 * two of its own. `prefix` begins every key; on Redis Cluster it must be in braces.
 */
export function createRedisBackend(options: {
  readonly url: string;
  readonly prefix: string;
  readonly onError: (error: unknown) => void;
}): Backend {
  const { url, prefix, onError } = options;
  const client = new PromptRedis(url, {
    ...connecting,
    // Fail at once instead of waiting for Redis: a lost ring is better than a blocked request.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
  });
  client.on('error', onError);
  const limited = new Map<BullQueue, JobSpec>();
  // A Redis that restarted without its data no longer knows which queues are exclusive.
  client.on('ready', () => {
    for (const [queue, spec] of limited) limitConcurrency(queue, spec).catch(onError);
  });
  return {
    isReachable: () => client.status === 'ready',
    ping: (job) => tryWrite(client, prefix, job),
    memory: async () => {
      const info = await client.info('memory');
      const bytes = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
      return { used: bytes('used_memory'), limit: bytes('maxmemory') };
    },
    openSender: async (job, spec, signal) => {
      const queue = new Queue(job, { ...queueOptions(spec), prefix, connection: client });
      const sender = await openSender(job, spec, queue, signal);
      limited.set(queue, spec);
      const keyOf = (name: string) => `${prefix}:${job}:${name}`;
      return {
        ...sender,
        async freeHeld() {
          await sender.freeHeld();
          // Redis stores when a key expires by its own clock.
          const locks = (await client.lrange(keyOf('active'), 0, -1)).map((id) => `${id}:lock`);
          for (const key of ['stalled-check', ...locks].map(keyOf))
            if ((await client.pttl(key)) > clockAheadMs) await client.del(key);
        },
        close: () => {
          limited.delete(queue);
          return sender.close();
        },
      };
    },
    openReceiver: async (job, spec, concurrency, listener, signal) => {
      const own = new PromptRedis(url, { ...connecting, maxRetriesPerRequest: null });
      own.on('error', () => undefined); // the worker reports it; without a listener ioredis prints it
      const worker = new Worker(job, processorOf(listener), {
        ...workerOptions(spec, concurrency),
        prefix,
        connection: own,
      });
      const receiver = await openReceiver(worker, listener, signal).catch((error: unknown) => {
        own.disconnect();
        throw error;
      });
      return {
        close: async () => {
          await receiver.close();
          own.disconnect();
        },
        disconnect: async () => {
          own.disconnect();
          await receiver.disconnect();
        },
      };
    },
    close: async () => client.disconnect(),
  };
}

const connecting = {
  // A server that is gone without a word answers to nothing. A receiver waits up to 10 seconds for a job.
  socketTimeout: 15_000,
  disconnectTimeout: 500,
  retryStrategy: (times: number) => Math.min(times * 100, 2_000),
  // After a failover the old primary refuses writes: reconnect to find the new one, then send the command again.
  reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
} as const;
