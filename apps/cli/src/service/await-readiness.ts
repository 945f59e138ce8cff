import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.ts';
import type { SupervisedApp } from './supervise-app.ts';

const readyTimeoutMs = 120_000;

/** The API to wait for, and what can end the waiting. */
export interface ReadinessOptions {
  readonly url: string;
  readonly api: SupervisedApp;
  /** Where to look when it never gets ready. */
  readonly logsFolder: string;
  /** Throws StartError when the address the API wants is not free; asked after each of its failures. */
  readonly requireAddress: () => Promise<void>;
  readonly stop: AbortSignal;
}

/**
 * Waits until `GET /readyz` answers 200, or until `stop` is aborted. Throws StartError when the API fails three times
 * in a row, or its address is taken, or two minutes have passed.
 */
export async function awaitReadiness({
  url,
  api,
  logsFolder,
  requireAddress,
  stop,
}: ReadinessOptions): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs;
  let failures = 0;
  while (!stop.aborted) {
    if ((await statusOf(`${url}/readyz`)) === 200) return;
    if (api.failures() > failures) {
      failures = api.failures();
      await requireAddress();
    }
    if (failures >= 3 || performance.now() > deadline) {
      const why = failures >= 3 ? 'ended three times in a row' : 'is not ready after two minutes';
      throw new StartError(
        `The ${api.name} ${why}. Its log is in ${logsFolder} and ends with:\n${api.lastOutput()}`,
      );
    }
    await delay(50);
  }
}

/** Whether the service waits for its first user. */
export async function isSetupWaiting(url: string): Promise<boolean> {
  return (await statusOf(`${url}/api/v1/setup/status`)) === 200;
}

/** The status of a GET, or `null` when nobody answers within two seconds. */
async function statusOf(url: string): Promise<number | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' });
    await response.arrayBuffer();
    return response.status;
  } catch {
    // Not listening yet is the usual answer of a service that is starting.
    return null;
  }
}
