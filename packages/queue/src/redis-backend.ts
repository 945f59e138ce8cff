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
import type { JobSpec } from './job-spec.ts';
import { PromptRedis } from './prompt-redis.ts';

/** How long a command of the sending side may take before the ring counts as lost, milliseconds. */
const commandTimeoutMs = 5_000;

/**
 * The queue on Redis or Valkey, 6.2 or newer, maxmemory-policy noeviction. One connection sends; each receiver has
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
    // Fail now instead of waiting for Redis to come back: a ring is not worth holding up a request.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
  });
  client.on('error', onError);
  const limited = new Map<BullQueue, JobSpec>();
  // A Redis that was restarted without its data has forgotten which queues are exclusive.
  client.on('ready', () => {
    for (const [queue, spec] of limited) limitConcurrency(queue, spec).catch(onError);
  });
  return {
    isReachable: () => client.status === 'ready',
    ping: async () => {
      await client.ping();
    },
    openSender: async (job, spec, signal) => {
      const queue = new Queue(job, { ...queueOptions(spec), prefix, connection: client });
      const sender = await openSender(job, spec, queue, signal);
      limited.set(queue, spec);
      return {
        ...sender,
        close: () => {
          limited.delete(queue);
          return sender.close();
        },
      };
    },
    openReceiver: async (job, spec, concurrency, listener, signal) => {
      const own = new PromptRedis(url, { ...connecting, maxRetriesPerRequest: null });
      own.on('error', () => undefined); // the worker tells; without a listener ioredis prints it
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
  disconnectTimeout: 500,
  retryStrategy: (times: number) => Math.min(times * 100, 2_000),
  // After a failover the old primary refuses writes: go and find the new one, then send the command again.
  reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
} as const;
