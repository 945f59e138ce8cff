import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Advisory, Release, Statement } from '@plimsoll/model';
import { type AdvisoryReading, feedsOf } from '../src/index.ts';
import { advisoryRead } from './read-advisory.ts';
import { keyOf, storedStatements } from './stored-statements.ts';

/** A registered feed's reading of a record. */
export function readRecord(feedId: string, record: unknown, release: string | null = null): AdvisoryReading {
  const feed = feedsOf('advisories').find(({ id }) => id === feedId);
  if (feed === undefined) throw new Error(`${feedId} is not registered`);
  return feed.read(record, { release: release as Release | null });
}

/** The advisory in a record; throws if the record is none. */
export function advisoryOf(feedId: string, record: unknown, release: string | null = null): Advisory {
  return advisoryRead(readRecord(feedId, record, release));
}

/** A record of testdata, as JSON. */
export function sample(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(__dirname, '..', 'testdata', file), 'utf8'));
}

/** Sort key of a parseable rpm version. */
export function rpmKey(version: string): Uint8Array {
  return keyOf('rpm', version);
}

/** The statements of advisories about one package in one release, and about its source rpm, as stored. */
export function rpmStatements(
  advisories: readonly Advisory[],
  release: string,
  name: string,
  sourceName: string | null = null,
): readonly Statement[] {
  return storedStatements('rpm', advisories, release, name, sourceName);
}

/** One package of an `<update>`, as the XML reader returns it. */
export function updatePackage(nevra: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  const [, name, epoch = '0', version, release, arch] =
    /^(.+)-(?:(\d+):)?([^-:]+)-([^-:]+)\.([a-z0-9_]+)$/.exec(nevra) ?? [];
  return { name, epoch, version, release, arch, src: '', rebootSuggested: false, ...rest };
}

/** An `<update>` about security with one collection. */
export function update(
  id: string,
  nevras: readonly string[],
  rest: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id,
    type: 'security',
    status: 'final',
    severity: 'Important',
    title: `${id} security update`,
    issued: '2024-05-22 00:00:00',
    updated: '2024-05-23 10:11:12',
    description: '',
    references: [{ href: '', id: 'CVE-2024-0001', title: 'CVE-2024-0001', type: 'cve' }],
    collections: [
      { name: 'c', short: 'c', module: null, packages: nevras.map((nevra) => updatePackage(nevra)) },
    ],
    ...rest,
  };
}
