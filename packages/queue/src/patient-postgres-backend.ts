import { setTimeout as wait } from 'node:timers/promises';
import {
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  type QueueBaseOptions,
} from 'bullmq';

const errorPauseMs = 500;
const busyPauseMs = 1_000;

/** Seconds that an idle worker sleeps without a notification. Limits the effect of a lost one. */
export const idleSleepS = 15;

/** Milliseconds after a connection error during which notifications are not trusted, and the sleep in that time. */
const distrustMs = 30_000;
const distrustfulSleepS = 1;

/** Milliseconds after a connection error at which a sleep is ended, because BullMQ may be about to begin one. */
const wakeDelayMs = 100;

/**
 * BullMQ's PostgreSQL backend for workers, without these faults of bullmq 6.7 (all measured):
 * - It polls a database that refuses queries without any pause.
 * - It also polls an exclusive queue whose one job runs elsewhere while others wait: a thousand queries a second.
 * - It takes a connection that breaks during LISTEN for a listening one, and also the connection after it.
 * - After an error it may sleep for up to an hour.
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
      setTimeout(() => this.#wake(), wakeDelayMs);
    });
  }

  /** BullMQ's method, but pauses before it passes on a failure. */
  override async moveToActive(...args: Parameters<PostgresQueueBackend['moveToActive']>) {
    try {
      return await super.moveToActive(...args);
    } catch (error) {
      await this.#pause(errorPauseMs);
      throw error;
    }
  }

  /**
   * BullMQ's method, but ensures that it listens, limits its sleep, and polls once a second while the queue is at its
   * limit.
   */
  override async waitForJob(blockTimeoutS: number): ReturnType<PostgresQueueBackend['waitForJob']> {
    const atLimit = this.#exclusive && (await this.isMaxed());
    if (this.#interrupt.signal.aborted) return null; // closing: the calls below would undo it
    if (atLimit) {
      await this.#pause(busyPauseMs);
      return null;
    }
    const mostS = performance.now() < this.#distrustUntil ? distrustfulSleepS : idleSleepS;
    await super.reconnectBlocking(); // drops the listening state, so LISTEN is sent again at almost no cost
    return super.waitForJob(Math.min(blockTimeoutS, mostS));
  }

  override async disconnectBlocking(...args: Parameters<PostgresQueueBackend['disconnectBlocking']>) {
    this.#interrupt.abort();
    return super.disconnectBlocking(...args);
  }

  override async reconnectBlocking() {
    this.#interrupt = new AbortController();
    return super.reconnectBlocking();
  }

  /** Ends a sleep as if it were over. */
  #wake(): void {
    if (this.#interrupt.signal.aborted) return;
    void super.disconnectBlocking();
    void super.reconnectBlocking();
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#interrupt.signal }).catch(() => undefined); // rejects only when interrupted
  }
}
