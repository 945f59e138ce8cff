import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A report to send. */
export interface ReportToSend {
  readonly token: string;
  readonly body: Buffer;
}

/** The answers to some reports. */
export interface SentReports {
  /** Milliseconds until each 202. */
  readonly durations: readonly number[];
  /** Other answers, by status. */
  readonly refused: ReadonlyMap<number, number>;
  readonly seconds: number;
}

/**
 * Sends reports in order over a number of connections that stay open: as fast as they are answered, or `perSecond`. A
 * report that is sent late, because all connections were waiting, has waited since it was to be sent.
 */
export async function sendReports(
  serviceUrl: string,
  reports: readonly ReportToSend[],
  { connections, perSecond }: { readonly connections: number; readonly perSecond?: number },
): Promise<SentReports> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const url = new URL(`${serviceUrl}/api/v1/agent/snapshots`);
  const durations: number[] = [];
  const refused = new Map<number, number>();
  const queue = reports.entries();
  const startedAt = performance.now();
  const lane = async () => {
    for (const [index, report] of queue) {
      const dueAt = perSecond === undefined ? performance.now() : startedAt + (index * 1_000) / perSecond;
      const early = dueAt - performance.now();
      if (early > 0) await delay(early);
      const status = await post(url, agent, report);
      if (status === 202) durations.push(performance.now() - dueAt);
      else refused.set(status, (refused.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  agent.destroy();
  return { durations, refused, seconds: (performance.now() - startedAt) / 1_000 };
}

/** The status of the answer. */
function post(url: URL, agent: http.Agent, { token, body }: ReportToSend): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-protobuf',
          'content-encoding': 'gzip',
          'content-length': body.length,
        },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
