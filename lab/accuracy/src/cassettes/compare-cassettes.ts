import type { Release } from '@plimsoll/model';
import { allFindings, evaluate } from '../evaluation.ts';
import type { FeedFileResult } from '../feeds/read-feed-file.ts';
import type { StatementBook } from '../feeds/statement-book.ts';
import { reportOfHostList } from '../inventory/host-list.ts';
import { inventoryOfReport } from '../inventory/inventory.ts';
import { releaseOfImage } from '../labels/image-release.ts';
import type { LabelManifest } from '../labels/label-manifest.ts';
import type { AnsweredPackage } from './read-cassettes.ts';

/** A distribution in the names of osv.dev's ecosystems, with the release and advisories that judge it. */
interface ComparedEcosystem {
  readonly ecosystem: string;
  readonly os: string;
  readonly version: string;
  readonly release: Release;
  readonly books: readonly StatementBook[];
}

/** Our answers about the packages of one ecosystem and the recorded ones, by package and CVE. */
export interface CassetteCheck {
  readonly ecosystem: string;
  /** Null: not compared; see `why`. */
  readonly release: string | null;
  readonly why: string | null;
  readonly packages: number;
  /** Pairs that both have. */
  readonly agreed: number;
  /** Recorded ids of CVEs that the data at hand does not name for the release: it is older than the recording. */
  readonly notInData: number;
  /** Recorded notices: they repeat their CVEs' records. */
  readonly notices: number;
  /** Pairs of CVEs that the data names, and only the recording or only we have; `NAME VERSION CVE`, sorted. */
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

const ownId = /^(?:UBUNTU|DEBIAN)-(CVE-\d{4}-\d+)$|^(CVE-\d{4}-\d+)$/;

/** Compares each ecosystem of recorded answers, by name; those without advisories are not compared. */
export function compareCassettes(
  requests: readonly (readonly AnsweredPackage[])[],
  manifest: LabelManifest,
  feeds: readonly FeedFileResult[],
): readonly CassetteCheck[] {
  const byEcosystem = new Map<string, AnsweredPackage[]>();
  for (const answered of requests.flat()) {
    const known = byEcosystem.get(answered.ecosystem);
    if (known === undefined) byEcosystem.set(answered.ecosystem, [answered]);
    else known.push(answered);
  }
  return [...byEcosystem.keys()].sort().map((ecosystem) => {
    const answered = byEcosystem.get(ecosystem) ?? [];
    const system = manifest.ecosystems[ecosystem];
    const release = system === undefined ? null : releaseOfImage(system);
    const files = release === null ? undefined : manifest.feeds[release];
    const books = (files ?? []).flatMap((file) => {
      const read = feeds.find((feed) => feed.file === file)?.read;
      return read?.kind === 'read' ? [read.book] : [];
    });
    if (system !== undefined && release !== null && files !== undefined && books.length === files.length) {
      return compareEcosystem({ ecosystem, ...system, release, books }, answered);
    }
    const why =
      system === undefined ? 'no supported distribution' : 'the data has no advisories for the release';
    const packages = new Set(answered.map(({ name, version }) => `${name} ${version}`)).size;
    const nothing = { agreed: 0, notInData: 0, notices: 0, missing: [], extra: [] };
    return { ecosystem, release, why, packages, ...nothing };
  });
}

/** Compares the recorded packages of an ecosystem; the scanner names source packages and their versions. */
function compareEcosystem(
  { ecosystem, os, version, release, books }: ComparedEcosystem,
  answered: readonly AnsweredPackage[],
): CassetteCheck {
  const packages = new Map(answered.map((each) => [`${each.name} ${each.version}`, each]));
  const report = reportOfHostList({
    os: { id: os, version },
    runningRelease: '',
    runningVersion: '',
    packages: [...packages.values()].map(({ name, version: built }) => ({
      ...{ name, version: built, sourceName: name, sourceVersion: built },
      ...{ architecture: '', epoch: '', release: '', vendor: '', module: '', candidate: null },
    })),
  });
  const inventory = inventoryOfReport(ecosystem, report, new Date(0));
  const evaluation = evaluate(inventory, { books, asOf: null, exploited: new Set() });
  const known = books.map((book) => book.idsOf(release));
  const isKnown = (id: string) => known.some((ids) => ids.has(id));
  const theirs = new Set<string>();
  let notInData = 0;
  let notices = 0;
  for (const [key, { ids }] of packages)
    for (const id of ids) {
      const [, withPrefix, plain] = ownId.exec(id) ?? [];
      const cve = withPrefix ?? plain;
      if (cve === undefined) notices += 1;
      else if (isKnown(cve)) theirs.add(`${key} ${cve}`);
      else notInData += 1;
    }
  const ours = new Set(
    allFindings(evaluation).flatMap(({ name, installedVersion, advisories }) =>
      advisories
        .filter(({ statement }) => statement.kind === 'vulnerability')
        .flatMap(({ statement }) => statement.cves.map((cve) => `${name} ${installedVersion} ${cve}`)),
    ),
  );
  return {
    ecosystem,
    release,
    why: null,
    packages: packages.size,
    agreed: [...theirs].filter((pair) => ours.has(pair)).length,
    notInData,
    notices,
    missing: [...theirs].filter((pair) => !ours.has(pair)).sort(),
    extra: [...ours].filter((pair) => !theirs.has(pair)).sort(),
  };
}
