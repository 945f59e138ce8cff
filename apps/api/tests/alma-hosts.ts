import type { UploadId } from '@plimsoll/model';
import { TriState } from '@plimsoll/proto';
import { type SnapshotChanges as Changes, rpmPlatform, uploadBytes } from './agent-uploads.ts';
import type { ApiUnderTest, EnrolledHost } from './api-under-test.ts';
import { parseAndMatch } from './pipeline.ts';
import { sampleSnapshot } from './sample-snapshot.ts';

/** An erratum in AlmaLinux's JSON, with builds of one source. */
export function erratum(id: string, cve: string, src: string, nevras: readonly string[]): object {
  return {
    id,
    type: 'security',
    severity: 'Important',
    title: `Important: ${id}`,
    description: '',
    issued_date: { $date: 1_739_000_000_000 },
    references: [{ id: cve, type: 'cve' }],
    packages: nevras.map((nevra) => {
      const [, name, epoch, version, release, arch] = /^(.+)-(\d+):([^-]+)-([^-]+)\.(\w+)$/.exec(nevra) ?? [];
      return { name, epoch, version, release, arch, src };
    }),
  };
}

/** Errata of bind and of the kernel. */
export const errata = [
  erratum('ALSA-2025:1', 'CVE-2025-1', 'bind-9.11.36-16.el8_10.4.src.rpm', [
    'bind-32:9.11.36-16.el8_10.4.x86_64',
  ]),
  erratum('ALSA-2025:2', 'CVE-2025-2', 'kernel-4.18.0-553.40.1.el8_10.src.rpm', [
    'kernel-core-0:4.18.0-553.40.1.el8_10.x86_64',
    'kernel-modules-0:4.18.0-553.40.1.el8_10.x86_64',
  ]),
];

/** The kernel that hosts run, and that the erratum of the kernel is about. */
export const kernelVersion = '4.18.0-553.1.1.el8_10';
/** A package of that kernel. */
export const kernelPart = (name: string) => ({
  name,
  architecture: 'x86_64',
  version: kernelVersion,
  sourceName: 'kernel',
  sourceVersion: kernelVersion,
  vendor: 'AlmaLinux',
});
/** Sends the report of an AlmaLinux host, and matches it; returns the status of the answer. */
export async function uploadAlma(
  api: ApiUnderTest,
  host: EnrolledHost,
  packages: NonNullable<Changes['packages']>,
  rest: Changes = {},
): Promise<string> {
  const answer = await uploadBytes(
    api,
    host,
    sampleSnapshot({
      platform: rpmPlatform('almalinux', '8.10', `${host.id}.example.org`),
      packages,
      packageCount: packages.length,
      kernel: { runningRelease: `${kernelVersion}.x86_64`, rebootRequired: TriState.UNSPECIFIED },
      ...rest,
    } as Changes), // A snapshot consists of its fields.
  );
  if (answer.status === 202) await parseAndMatch(api.database, [answer.body.snapshot_id as UploadId]);
  return answer.body.status;
}
