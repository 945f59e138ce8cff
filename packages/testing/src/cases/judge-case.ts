import { differences } from './differences.ts';
import type { HostCase } from './host-case.ts';
import { collectedBefore } from './report-times.ts';

/** Sends reports to a service and reads its answers. */
export interface CaseService {
  /** Uploads a report for a new host and waits until it is judged or rejected. */
  send(report: string): Promise<{ readonly hostId: string; readonly status: number; readonly body: unknown }>;
  /** Body of the answer to GET below `/api/v1`. */
  read(path: string): Promise<unknown>;
}

/** Sends a case's report; returns the new host's id and where the answers differ from what is right. */
export async function judgeCase(
  { report, upload, answers }: HostCase,
  service: CaseService,
): Promise<{ readonly hostId: string; readonly differences: readonly string[] }> {
  const { hostId, status, body } = await service.send(collectedBefore(report, new Date()));
  const found = status === upload ? [] : [`upload: expected ${upload}, is ${status} ${JSON.stringify(body)}`];
  for (const [path, expected] of Object.entries(answers)) {
    const answer = await service.read(`/hosts/${hostId}${path}`);
    found.push(...differences(expected, answer).map((line) => `${path === '' ? '/' : path} ${line}`));
  }
  return { hostId, differences: found };
}
