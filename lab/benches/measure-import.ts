import { setTimeout as delay } from 'node:timers/promises';
import { type BenchService, say } from './bench-service.ts';
import { forgetPeak, peakMegabytes, processorSeconds } from './service-usage.ts';

/** Between questions whether an import has ended: each takes the service some milliseconds just after its start. */
const askMs = 50;

/** A file to import, and its name in the output. */
export interface FileToMeasure {
  readonly what: string;
  readonly file: Uint8Array;
  /** The release of its records, if they do not name one. */
  readonly release?: string;
}

/** The end of an import, from the API. */
export interface MeasuredImport {
  readonly status: string;
  readonly changed: number;
  /** Until the counts of all hosts were visible. */
  readonly seconds: number;
}

/**
 * Imports a file through the API, waits for the end and prints its duration, the parts of it until all
 * records were read, merged and matched again, the processor time of each process and the advisory-worker's peak memory
 * meanwhile.
 */
export async function measureImport(
  { service, client }: BenchService,
  { what, file, release }: FileToMeasure,
): Promise<MeasuredImport> {
  const before = await processorSeconds({ service });
  const pid = service.processes('advisory-worker')[0]?.pid;
  await forgetPeak(pid);
  const startedAt = performance.now();
  const query = release === undefined ? '' : `?release=${encodeURIComponent(release)}`;
  const posted = await fetch(`${service.url}/api/v1/feeds/import${query}`, {
    method: 'POST',
    headers: { authorization: client.authorization, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(file),
  });
  let body: unknown = await posted.json();
  const id = fieldOf(body, 'import_id');
  while (!['done', 'failed'].includes(fieldOf(body, 'status'))) {
    await delay(askMs);
    ({ body } = await client.get(`/feeds/imports/${id}`));
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await processorSeconds({ service });
  const spent = [...after]
    .map(([name, total]) => [name, total - (before.get(name) ?? 0)] as const)
    .filter(([, cpu]) => cpu >= 0.1)
    .map(([name, cpu]) => `${name} ${cpu.toFixed(1)}`);
  const problems = fieldOf(body, 'errors') === '' ? '' : `, first of its problems: ${firstProblem(body)}`;
  say(
    `${what}: ${seconds.toFixed(1)} s (${await spentOn(service, id)}), processor time: ${spent.join(', ')} s, advisory-worker at most ${await peakMegabytes(pid)} MB; ` +
      `${fieldOf(body, 'status')}: ${fieldOf(body, 'records_read')} records read, ` +
      `${fieldOf(body, 'records_changed')} changed, ${fieldOf(body, 'records_rejected')} rejected${problems}`,
  );
  return { status: fieldOf(body, 'status'), changed: Number(fieldOf(body, 'records_changed')), seconds };
}

/** The worker's own log line about its durations; it is written shortly after the end. */
async function spentOn(service: BenchService['service'], importId: string): Promise<string> {
  const find = () =>
    service
      .log()
      .split('\n')
      .findLast((text) => text.includes('feed import done') && text.includes(importId));
  for (let attempt = 1; attempt <= 50 && find() === undefined; attempt += 1) await delay(20);
  const line = find();
  if (line === undefined) return 'nothing was said of where it went';
  const said: unknown = JSON.parse(line);
  const seconds = (field: string) => (Number(fieldOf(said, field)) / 1_000).toFixed(1);
  return (
    `read ${seconds('readMs')}, merged ${seconds('mergeMs')}, ` +
    `matched ${seconds('matchMs')}, ${fieldOf(said, 'hostsCounted')} hosts counted ${seconds('countMs')}`
  );
}

function firstProblem(body: unknown): string {
  const errors = new Map(Object.entries(body ?? {})).get('errors');
  return JSON.stringify(Array.isArray(errors) ? (errors[0] ?? 'none') : 'none');
}

function fieldOf(answer: unknown, field: string): string {
  return String(new Map(Object.entries(answer ?? {})).get(field));
}
