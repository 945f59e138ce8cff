import { setTimeout as wait } from 'node:timers/promises';
import {
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  type QueueBaseOptions,
} from 'bullmq';

const errorPauseMs = 500;
const busyPauseMs = 1_000;

/** How long an idle worker sleeps where no notification wakes it, seconds: the net under a lost one. */
export const idleSleepS = 15;

/** How long after an error of a connection notifications are not relied on, milliseconds; and how long it then sleeps. */
const distrustMs = 30_000;
const distrustfulSleepS = 1;

/** How long after an error of a connection a sleep is ended, milliseconds: BullMQ may just be about to begin one. */
const wakeDelayMs = 100;

/**
 * BullMQ's PostgreSQL backend of a worker without these faults of bullmq 6.7 (all measured):
 * - A database that refuses queries is asked again without any pause.
 * - So is an exclusive queue whose one job runs elsewhere while others wait: a thousand queries a second.
 * - A connection that breaks while LISTEN is under way is taken for a listening one, and so is the one after it.
 * - After an error a worker may sleep up to an hour.
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

  /** As BullMQ's; a failure is passed on only after a pause. */
  override async moveToActive(...args: Parameters<PostgresQueueBackend['moveToActive']>) {
    try {
      return await super.moveToActive(...args);
    } catch (error) {
      await this.#pause(errorPauseMs);
      throw error;
    }
  }

  /** As BullMQ's, but it makes sure that it listens, never sleeps long, and looks once a second while at the limit. */
  override async waitForJob(blockTimeoutS: number): ReturnType<PostgresQueueBackend['waitForJob']> {
    const atLimit = this.#exclusive && (await this.isMaxed());
    if (this.#interrupt.signal.aborted) return null; // closing: what follows would take that back
    if (atLimit) {
      await this.#pause(busyPauseMs);
      return null;
    }
    const mostS = performance.now() < this.#distrustUntil ? distrustfulSleepS : idleSleepS;
    await super.reconnectBlocking(); // forgets that it listened: LISTEN is sent again, which costs next to nothing
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
