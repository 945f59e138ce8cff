import type { Gap, PackageVersion, Release, Statement } from '@plimsoll/model';
import {
  type AssessedPackage,
  type Assessment,
  type ExplainedHost,
  type Explanation,
  explainHost,
  type StatedVersion,
} from '../../src/index.ts';
import type { DrawnHost } from '../host/drawn/drawn-host.ts';

/** The time at which the feed of an explained host was read. */
const feedRead = new Date('2025-06-01T00:00:00Z');

/** A host as the service stores it, with the data for explanations. */
export interface AskableHost {
  readonly host: ExplainedHost;
  /** The installed versions, and the version of a running kernel that is not installed. */
  readonly versions: readonly PackageVersion[];
  readonly stated: ReadonlyMap<PackageVersion['id'], StatedVersion>;
}

/** Stores a host with all statements about its packages and their sources. */
export function askable(drawn: DrawnHost, assessment: Assessment): AskableHost {
  const { packages, subject, keyOf } = drawn;
  const release = subject.facts.release as Release;
  const stored = (entry: AssessedPackage, index: number): PackageVersion => {
    const { verdict } = entry;
    const match = verdict.kind === 'comparable' ? verdict : null;
    return {
      vendor: '',
      suite: '',
      module: '',
      ...packages[index],
      ...entry,
      release,
      matchName: match?.matchName ?? null,
      matchKey: match && Buffer.from(keyOf(match.matchVersion)),
    };
  };
  const installed = subject.packages.map(stored);
  const running = subject.runningKernel === null ? [] : [stored(subject.runningKernel, -1)];
  const versions = [...installed, ...running];
  const [kernel] = running;
  return {
    versions,
    stated: new Map(
      versions.map((version) => [
        version.id,
        { statements: statedAbout(drawn, version), judgedCves: new Set<string>() },
      ]),
    ),
    host: {
      release,
      feed: { id: 'a-feed', updatedAt: feedRead },
      packages: installed.map((version) => ({ version })),
      runningKernel: kernel === undefined ? null : { version: kernel },
      assessment,
    },
  };
}

function statedAbout({ statements }: DrawnHost, { matchName, sourceName }: PackageVersion) {
  const own = (statements[matchName ?? ''] ?? []).filter(({ names }) => names === undefined);
  return [...own, ...(statements[sourceName] ?? []).filter(({ names }) => names !== undefined)];
}

/** Explains the advisory of some statements, for a package of a host. */
export function explainStated(
  { host, stated }: Pick<AskableHost, 'host' | 'stated'>,
  {
    packageName,
    asked,
    gaps = [],
  }: { packageName: string; asked: readonly Statement[]; gaps?: readonly Gap[] },
): Explanation {
  return explainHost({
    advisory: asked[0]?.externalId ?? 'CVE-1999-0001',
    packageName,
    gaps,
    stated,
    host,
    advisories: asked.map((statement) => ({
      key: statement.advisory,
      feedId: 'a-feed',
      externalId: statement.externalId,
      kind: statement.kind,
      title: '',
      url: '',
      cves: statement.cves,
      publishedAt: new Date('2025-01-01T00:00:00Z'),
      withdrawnAt: statement.withdrawn ? feedRead : null,
      packages: [],
    })),
  });
}
