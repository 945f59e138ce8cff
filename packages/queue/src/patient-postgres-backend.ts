import { setTimeout as wait } from 'node:timers/promises';
import {
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  type QueueBaseOptions,
} from 'bullmq';

const errorPauseMs = 500;
const busyPauseMs = 1_000;
/** How long after an error of a connection notifications are not relied on, milliseconds; and how long it then sleeps. */
const distrustMs = 30_000;
const distrustfulSleepS = 1;

/**
 * BullMQ's PostgreSQL backend without three faults of bullmq 6.7. A database that refuses queries is asked again without
 * any pause, and so is an exclusive queue whose one job runs elsewhere while others wait (a thousand queries a second,
 * measured). And a job rung while a lost connection was made anew can go unnoticed for one whole sleep.
 */
export class PatientPostgresBackend extends PostgresQueueBackend {
  readonly #exclusive: boolean;
  #interrupt = new AbortController();
  #distrustUntil = 0;

  constructor(options: {
    readonly queue: string;
    readonly base: QueueBaseOptions<PostgresConnectionOptions>;
    readonly exclusive: boolean;
  }) {
    super(new PostgresConnection(options.base.connection), options.queue, options.base, true, options.queue);
    this.#exclusive = options.exclusive;
    this.on('error', () => {
      this.#distrustUntil = performance.now() + distrustMs;
    });
  }

  /** As BullMQ's; a failure is passed on only after a pause. */
  override async moveToActive(...args: Parameters<PostgresQueueBackend['moveToActive']>) {
    try {
      return await super.moveToActive(...args);
    } catch (error) {
      await this.#pause(errorPauseMs);
      throw error;
    }
  }

  /** As BullMQ's, but it sleeps shortly after an error, and looks once a second while the queue is at its limit. */
  override async waitForJob(blockTimeoutS: number): ReturnType<PostgresQueueBackend['waitForJob']> {
    if (this.#exclusive && (await this.isMaxed())) {
      await this.#pause(busyPauseMs);
      return null;
    }
    const shaky = performance.now() < this.#distrustUntil;
    return super.waitForJob(shaky ? Math.min(blockTimeoutS, distrustfulSleepS) : blockTimeoutS);
  }

  override async disconnectBlocking(...args: Parameters<PostgresQueueBackend['disconnectBlocking']>) {
    this.#interrupt.abort();
    return super.disconnectBlocking(...args);
  }

  override async reconnectBlocking() {
    this.#interrupt = new AbortController();
    return super.reconnectBlocking();
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#interrupt.signal }).catch(() => undefined); // rejects only when interrupted
  }
}
