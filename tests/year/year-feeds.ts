import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Fleet, fleetAdvisories, fleetCveFacts } from '@plimsoll/loadtest';
import { zipOf } from '@plimsoll/testing';

/** The feeds of the year. */
export const yearFeeds = ['debian-osv', 'debian-lifecycles', 'cisa-kev', 'epss'] as const;

/** A folder that publishes feeds, in the layout of a mirror. */
export interface YearFeeds {
  /** Publishes what is known on a day of the fleet. Resolves to the newest advisories' ids, newest first. */
  publish(day: number): Promise<readonly string[]>;
}

/** Feeds about the fleet's archives; Debian 13 ends on `endOf13`, a day of the fleet. */
export function createYearFeeds(
  folder: string,
  fleet: Fleet,
  { timeOf, endOf13 }: { readonly timeOf: (day: number) => Date; readonly endOf13: number },
): YearFeeds {
  const dateOf = (day: number) => timeOf(day).toISOString().slice(0, 10);
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(`${file}.next`, content);
    await rename(`${file}.next`, file);
  };
  return {
    async publish(day) {
      const advisories = fleetAdvisories(fleet, { from: Number.NEGATIVE_INFINITY, to: day }, timeOf);
      const facts = fleetCveFacts(advisories, { from: Number.NEGATIVE_INFINITY, to: day }, timeOf);
      const records = advisories.map(({ record }) => record as { readonly id: string }); // As OSV has it.
      const files = records.map((record) => ({ name: `${record.id}.json`, text: JSON.stringify(record) }));
      await write('Debian/all.zip', await zipOf(files));
      await write('epss/epss_scores-current.csv.gz', gzipSync(facts.scores ?? ''));
      await write('kev/known_exploited_vulnerabilities.json', catalogOf(facts.exploited, timeOf(day)));
      await write('distro-info-data/debian.csv', lifecyclesOf(dateOf(endOf13)));
      return records.map(({ id }) => id).reverse();
    },
  };
}

const header = 'version,codename,series,created,release,eol,eol-lts,eol-elts\n';

function lifecyclesOf(endOf13: string): string {
  return [
    header,
    '11,Bullseye,bullseye,2019-07-06,2021-08-14,2099-08-14,,\n',
    `13,Trixie,trixie,2023-06-10,2025-08-09,${endOf13},,\n`,
  ].join('');
}

/** A catalog without entries would be refused. */
const oldEntry = { cveID: 'CVE-2020-0001', dateAdded: '2021-11-03', shortDescription: 'Made up.' };

function catalogOf(newEntries: readonly object[], releasedAt: Date): string {
  const entries = [oldEntry, ...newEntries];
  return JSON.stringify({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: releasedAt.toISOString().slice(0, 10).replaceAll('-', '.'),
    dateReleased: releasedAt.toISOString(),
    count: entries.length,
    vulnerabilities: entries,
  });
}
