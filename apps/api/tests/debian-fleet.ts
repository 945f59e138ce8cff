import { createHash } from 'node:crypto';
import { TriState } from '@plimsoll/proto';
import { type SnapshotChanges as Changes, sendSnapshot } from './agent-uploads.ts';
import { type ApiUnderTest, type EnrolledHost, enrol, machineIdOf } from './api-under-test.ts';
import { protobufTime } from './sample-snapshot.ts';

/** The content of a record of Debian's feed. */
export interface RecordFacts {
  readonly fixed?: string;
  readonly urgency?: string;
  readonly cvss?: string;
  readonly cves?: readonly string[];
  readonly release?: string;
  readonly published?: string;
  readonly withdrawn?: string;
  readonly summary?: string;
}

/** An OSV record of Debian's feed about one source package. */
export function debianRecord(id: string, name: string, facts: RecordFacts = {}): object {
  const { fixed, urgency, cvss, cves, release = '12', published = '2024-07-01T13:15:06Z' } = facts;
  return {
    schema_version: '1.7.0',
    id,
    modified: '2024-12-05T14:55:52Z',
    published,
    summary: facts.summary ?? `${name} has a flaw`,
    ...(facts.withdrawn === undefined ? {} : { withdrawn: facts.withdrawn }),
    ...(cves === undefined ? {} : { upstream: cves }),
    ...(cvss === undefined ? {} : { severity: [{ type: 'CVSS_V3', score: cvss }] }),
    affected: [
      {
        package: { ecosystem: `Debian:${release}`, name },
        ranges: [
          { type: 'ECOSYSTEM', events: [{ introduced: '0' }, ...(fixed === undefined ? [] : [{ fixed }])] },
        ],
        ...(urgency === undefined ? {} : { ecosystem_specific: { urgency } }),
      },
    ],
  };
}

/** A Debian package with a source of the same name unless `rest` names one. */
export function debianPackage(name: string, version: string, rest: object = {}) {
  return { name, architecture: 'amd64', version, sourceName: name, sourceVersion: version, ...rest };
}

/** An offered update of a package from version 1 to 2, with a source of the same name unless `rest` says otherwise. */
export function debianOffer(name: string, rest: object = {}, from = '1', to = '2') {
  return {
    name,
    architecture: 'amd64',
    installedVersion: from,
    candidateVersion: to,
    repository: 'debian-security',
    sourceName: name,
    sourceVersion: to,
    ...rest,
  };
}

/** What a host observes that read its package lists just now. */
export function freshLists() {
  const now = protobufTime(new Date());
  return { bootId: 'x', bootedAt: now, refreshed: [{ repositoryId: 'main', at: now }] };
}

/** A vector of CVSS 3.1 with the score 9.8. */
export const critical = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

/** A Debian kernel, such as `6.1.0-28-amd64` of `6.1.119-1`. */
export function debianKernel(release: string, version: string) {
  return {
    name: `linux-image-${release}`,
    architecture: 'amd64',
    version,
    sourceName: 'linux-signed-amd64',
    sourceVersion: version.replace('-', '+'),
  };
}

/** Facts of a host that runs a Debian kernel. */
export function runs(release = '6.1.0-28-amd64', version = '6.1.119-1', rest: object = {}) {
  const runningVersion = `#1 SMP PREEMPT_DYNAMIC Debian ${version} (2024-11-22)`;
  return { kernel: { runningRelease: release, runningVersion, ...rest } };
}

/** A host's snapshot; its fields replace whole fields of the sample. */
export type HostFacts = Omit<NonNullable<Changes>, 'platform'> & {
  readonly autoApprove?: boolean;
  /** The output of `systemd-detect-virt`. */
  readonly virtualization?: string;
  /** The number of the Debian release. */
  readonly release?: string;
  /** What the host claims of its machine. */
  readonly machine?: { readonly machineId?: string; readonly ipAddresses?: readonly string[] };
};

/** Facts of a host with openssh and nothing else. */
export function opensshHost(version: string, more: object = {}): HostFacts {
  return { packages: [debianPackage('openssh', version)], ...more };
}

/** Facts of a host on which services have to be restarted; without names, none. */
export function toRestart(...names: readonly string[]) {
  const restartRequired = names.length === 0 ? TriState.NO : TriState.YES;
  return { services: { restartRequired, toRestart: names.map((name) => ({ name, reason: '' })) } };
}

/** The address that a host with this name reports. */
export function addressOf(hostname: string): string {
  const [first = 0, second = 0] = createHash('md5').update(hostname).digest();
  return `198.18.${first}.${second}`;
}

/** Enrols a host, sends its snapshot and matches it. */
export async function reportingHost(
  api: ApiUnderTest,
  hostname: string,
  changes: HostFacts = {},
): Promise<EnrolledHost> {
  const host = await enrol(api, { hostname, autoApprove: changes.autoApprove ?? true });
  await reportAgain(api, host, hostname, changes);
  return host;
}

/** Sends another snapshot of a host and matches it. */
export async function reportAgain(
  api: ApiUnderTest,
  host: EnrolledHost,
  hostname: string,
  changes: HostFacts,
): Promise<void> {
  const { autoApprove: _, machine: __, virtualization = 'kvm', release = '12', ...fields } = changes;
  const platform = {
    osFamily: 'apt',
    osId: 'debian',
    osVersionId: release,
    osVersion: `${release}.8`,
    architecture: 'amd64',
    hostname,
    machineId: machineIdOf(hostname),
    virtualization,
    ipAddresses: [addressOf(hostname)],
    ...changes.machine,
  };
  const count = fields.packages === undefined ? {} : { packageCount: fields.packages.length };
  await sendSnapshot(api, host, { platform, ...count, ...fields } as Changes);
}
