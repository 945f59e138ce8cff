import { get as getPlain } from 'node:http';
import { get as getWithTls } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.ts';
import type { SupervisedApp } from './supervise-app.ts';

const readyTimeoutMs = 120_000;

/** The API to wait for, and what ends the wait. */
export interface ReadinessOptions {
  readonly url: string;
  readonly api: SupervisedApp;
  /** The folder to name if the API never becomes ready. */
  readonly logsFolder: string;
  /** Throws StartError if the API's address is taken; called after each failure of the API. */
  readonly requireAddress: () => Promise<void>;
  readonly stop: AbortSignal;
}

/**
 * Waits until `GET /readyz` answers 200 or `stop` is aborted. Throws StartError when the API fails three times in a
 * row, its address is taken, or two minutes have passed.
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

/** Whether the service still needs its first user. */
export async function isSetupWaiting(url: string): Promise<boolean> {
  return (await statusOf(`${url}/api/v1/setup/status`, setupTimeoutMs)) === 200;
}

/** Time limit for an answer while the API starts, in milliseconds. */
const answerTimeoutMs = 2_000;
/** For a single request to an API that has just started on a machine that may be busy. */
const setupTimeoutMs = 15_000;

/** The status of a GET, or `null` without an answer in time. The request contains only the path. */
export function statusOf(url: string, timeout = answerTimeoutMs): Promise<number | null> {
  const get = url.startsWith('https:') ? getWithTls : getPlain;
  return new Promise((resolve) => {
    // The certificate is for public names, not for this machine's own address; the request contains no secret.
    const request = get(url, { rejectUnauthorized: false, timeout, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? null));
    });
    request.once('timeout', () => request.destroy());
    // A starting service usually does not listen yet.
    request.once('error', () => resolve(null));
    request.once('close', () => resolve(null));
  });
}
