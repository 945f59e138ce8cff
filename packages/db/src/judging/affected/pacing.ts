import { setTimeout as delay } from 'node:timers/promises';
import { restMsAfter } from '../../core/rest.ts';

/** Divides a long count into pieces of milliseconds, between which the process answers requests. */
export class Pacing {
  workMs = 0;
  private begunMs = performance.now();
  private readonly isAwaited: () => boolean;

  /** @param isAwaited whether a request waits for the count. If not, it rests after each piece. */
  constructor(isAwaited: () => boolean) {
    this.isAwaited = isAwaited;
  }

  /** Ends a piece; the next one begins when this resolves. */
  async pause(): Promise<void> {
    const tookMs = performance.now() - this.begunMs;
    this.workMs += tookMs;
    if (!this.isAwaited()) await delay(restMsAfter(tookMs));
    this.begunMs = performance.now();
  }
}
