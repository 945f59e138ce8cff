import type { Advisory } from '@plimsoll/model';
import { type AdvisoryReading, feedsOf } from '../src/index.ts';
import { advisoryRead } from './read-advisory.ts';

/** Ubuntu's feed's reading of a record. */
export function readUbuntu(record: unknown): AdvisoryReading {
  const feed = feedsOf('advisories').find(({ id }) => id === 'ubuntu-osv');
  if (feed === undefined) throw new Error('ubuntu-osv is not registered');
  return feed.read(record, { release: null });
}

/** One affected entry in the current form; `fixed` null: no fix. */
export interface UbuntuEntry {
  readonly ecosystem?: string;
  readonly name: string;
  readonly fixed: string | null;
  readonly specific?: object;
  readonly rest?: object;
}

const free = 'No subscription required';
const esmApps = 'Available with Ubuntu Pro: https://ubuntu.com/pro';
export const esmInfra = 'Available with Ubuntu Pro (Infra-only): https://ubuntu.com/pro';

function affectedEntry({ ecosystem = 'Ubuntu:22.04:LTS', name, fixed, specific, rest }: UbuntuEntry): object {
  const availability = ecosystem.includes(':Pro:') ? esmApps : free;
  return {
    package: { ecosystem, name, purl: `pkg:deb/ubuntu/${name}?arch=source` },
    ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, ...(fixed === null ? [] : [{ fixed }])] }],
    ecosystem_specific: { binaries: [], ...(fixed === null ? {} : { availability }), ...specific },
    ...rest,
  };
}

/** A CVE record in the form of Ubuntu's security team, of medium priority. */
export function cveRecord(cve: string, entries: readonly UbuntuEntry[], rest: object = {}): object {
  return {
    schema_version: '1.7.0',
    id: `UBUNTU-${cve}`,
    aliases: [],
    upstream: [cve],
    related: [],
    details: 'Something is wrong. It can be reached.',
    severity: [{ type: 'Ubuntu', score: 'medium' }],
    published: '2024-01-02T03:04:00Z',
    modified: '2024-02-03T04:05:06Z',
    affected: entries.map(affectedEntry),
    ...rest,
  };
}

/** A notice in the form of Ubuntu's security team. */
export function noticeRecord(
  id: string,
  cves: readonly string[],
  entries: readonly UbuntuEntry[],
  rest: object = {},
): object {
  return {
    schema_version: '1.7.0',
    id,
    summary: 'something vulnerabilities',
    aliases: [],
    upstream: cves.map((cve) => `UBUNTU-${cve}`),
    related: [],
    published: '2024-01-02T03:04:00Z',
    modified: '2024-02-03T04:05:06Z',
    affected: entries.map(affectedEntry),
    ...rest,
  };
}

/** A record, parsed. */
export function advisoryIn(record: object): Advisory {
  return advisoryRead(readUbuntu(record));
}

/** A CVE record, parsed. */
export function cveAdvisory(cve: string, entries: readonly UbuntuEntry[], rest: object = {}): Advisory {
  return advisoryIn(cveRecord(cve, entries, rest));
}
