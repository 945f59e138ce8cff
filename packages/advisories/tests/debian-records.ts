import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Advisory, Release, Statement } from '@plimsoll/model';
import { areJudgementOf, feedsOf } from '../src/index.ts';
import { advisoryRead } from './read-advisory.ts';
import { keyOf, storedStatements } from './stored-statements.ts';

/** Debian's feed, from the registry. */
export function debianFeed() {
  const feed = feedsOf('advisories').find(({ id }) => id === 'debian-osv');
  if (feed === undefined) throw new Error('debian-osv is not registered');
  return feed;
}

/** Debian's feed's reading of a record. */
export function readDebian(record: unknown) {
  return debianFeed().read(record, { release: null });
}

/** A record of testdata, as JSON. */
export function debianRecord(id: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(__dirname, '..', 'testdata', 'debian-osv', `${id}.json`), 'utf8'));
}

/** A record of testdata, parsed. */
export function debianAdvisory(id: string): Advisory {
  return advisoryRead(readDebian(debianRecord(id)));
}

/** Sort key of a valid Debian version. */
export function debianKey(version: string): Uint8Array {
  return keyOf('dpkg', version);
}

/** The statements of advisories about one package in one release, as stored. */
export function statementsAbout(
  advisories: readonly Advisory[],
  release: string,
  name: string,
): readonly Statement[] {
  return storedStatements('dpkg', advisories, release, name);
}

/** Returns whether the records of a CVE among some advisories judge it for a release. */
export function judgedBy(advisories: readonly Advisory[], release: Release): (cve: string) => boolean {
  return (cve) =>
    advisories
      .filter(({ kind, cves }) => kind === 'vulnerability' && cves.includes(cve))
      .some(({ modifiedAt: changedAt, packages }) =>
        areJudgementOf(release, { changedAt, namesRelease: packages.some((p) => p.release === release) }),
      );
}
