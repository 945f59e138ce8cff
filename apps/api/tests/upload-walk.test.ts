import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { UploadId } from '@plimsoll/model';
import { uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { debianRecord } from './debian-fleet.ts';
import { createUploadWork, importOsv } from './pipeline.ts';
import { sampleSnapshot } from './sample-snapshot.ts';

/**
 * Source files that an upload may pass until its finding: fewer files make the code easier to follow. It passes 155; a timer of the API
 * that ends meanwhile can add one.
 */
const mostFiles = 157;

const root = path.resolve(__dirname, '../../..');
const api = apiPerFile();
let host: EnrolledHost;
beforeAll(async () => {
  host = await enrol(api);
  await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '1:9.2p1-3' })]);
});

/** The path of a source file of the project in a script's URL; null for tests and libraries. */
function sourceOf(url: string): string | null {
  const file = path.relative(root, url.startsWith('file:') ? fileURLToPath(url) : url);
  return /^(apps|packages)\/(?!testing\/)[^/]+\/src\/(?!generated\/)/.test(file) ? file : null;
}

/** Whether a function runs that is not one of the getters by which Jest's modules export. */
function isRun({ functionName, ranges }: Profiler.FunctionCoverage): boolean {
  return !/^get( |$)/.test(functionName) && ranges.some(({ count }) => count > 0);
}

/** The project's source files with a function that runs during some work, sorted. */
async function sourcesRunBy(work: () => Promise<void>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(isRun))
      .flatMap(({ url }) => sourceOf(url) ?? [])
      .sort();
  } finally {
    session.disconnect();
  }
}

/** The number of files of each package and app among some files. */
function countsByWorkspace(files: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const file of files) {
    const workspace = file.split('/').slice(0, 2).join('/');
    counts[workspace] = (counts[workspace] ?? 0) + 1;
  }
  return counts;
}

it('an upload passes a bounded number of source files until its finding is listed', async () => {
  const work = createUploadWork(api.database);
  let findings: readonly { readonly name: string }[] = [];
  const files = await sourcesRunBy(async () => {
    const sent = await uploadBytes(api, host, sampleSnapshot());
    await work([sent.body.snapshot_id as UploadId]);
    findings = (await api.admin.get(`/api/v1/hosts/${host.id}/packages/vulnerable`)).body;
  });
  expect(findings.map(({ name }) => name)).toEqual(['openssh-server']);
  process.stdout.write(`${JSON.stringify({ files: files.length, ...countsByWorkspace(files) }, null, 2)}\n`);
  for (const stage of ['apps/api', 'packages/pipeline', 'packages/advisories', 'packages/db'])
    expect(countsByWorkspace(files)[stage]).toBeGreaterThan(0);
  expect(files.length).toBeLessThanOrEqual(mostFiles);
});
