import type { PackageVersion, PackageVersionId, Release, Statement } from '@plimsoll/model';
import { type AssessedPackage, type Assessment, type Explanation, explainHost } from '../../src/index.ts';
import type { DrawnHost } from '../host/drawn/drawn-host.ts';
import { holds, hostKinds } from '../host/drawn/every-host.ts';

const read = new Date('2025-06-01T00:00:00Z');

/** A drawn host's packages as they are stored. */
function versionsOf({ packages, subject, keyOf }: DrawnHost): readonly PackageVersion[] {
  const release = subject.facts.release as Release;
  const stored = (entry: AssessedPackage, index: number): PackageVersion => ({
    vendor: '',
    suite: '',
    module: '',
    ...packages[index],
    ...entry,
    release,
    matchName: entry.verdict.kind === 'comparable' ? entry.verdict.matchName : null,
    matchKey: entry.verdict.kind === 'comparable' ? Buffer.from(keyOf(entry.verdict.matchVersion)) : null,
  });
  const { runningKernel } = subject;
  return [...subject.packages.map(stored), ...(runningKernel === null ? [] : [stored(runningKernel, -1)])];
}

/** All that is stated about a package version and its source. */
function statementsOf({ statements }: DrawnHost, { matchName, sourceName }: PackageVersion) {
  const own = (statements[matchName ?? ''] ?? []).filter(({ names }) => names === undefined);
  return [...own, ...(statements[sourceName] ?? []).filter(({ names }) => names !== undefined)];
}

/** Explains every advisory about every package of a host. */
function explanationsOf(drawn: DrawnHost, assessment: Assessment) {
  const all = versionsOf(drawn);
  const installed = all.slice(0, drawn.subject.packages.length);
  const stated = new Map(
    all.map((version) => [
      version.id as PackageVersionId,
      { statements: statementsOf(drawn, version), judgedCves: new Set<string>() },
    ]),
  );
  const explain = (version: PackageVersion, asked: readonly Statement[], advisory: string): Explanation =>
    explainHost({
      advisory,
      packageName: version.name,
      gaps: [],
      stated,
      advisories: asked.map((statement) => ({
        key: statement.advisory,
        feedId: 'a-feed',
        externalId: statement.externalId,
        kind: statement.kind,
        title: '',
        url: '',
        cves: statement.cves,
        publishedAt: new Date(0),
        withdrawnAt: statement.withdrawn ? read : null,
        packages: [],
      })),
      host: {
        release: version.release,
        feed: { id: 'a-feed', updatedAt: read },
        packages: installed.map((entry) => ({ version: entry })),
        runningKernel: all.slice(installed.length).map((entry) => ({ version: entry }))[0] ?? null,
        assessment,
      },
    });
  return all.flatMap((version) => {
    const said = statementsOf(drawn, version);
    return [...new Set(said.map(({ externalId }) => externalId))].map((advisory) => ({
      name: version.name,
      advisory,
      explanation: explain(
        version,
        said.filter(({ externalId }) => externalId === advisory),
        advisory,
      ),
    }));
  });
}

const seen = new Set<string>();

describe.each(hostKinds)('the explanations of every %s host', (_kind, hosts) => {
  it('call exactly the listed advisories findings, with their fix state and a sentence', () => {
    holds(hosts, (drawn, assessment) => {
      for (const { name, advisory, explanation } of explanationsOf(drawn, assessment)) {
        const listed = assessment.findings
          .filter((finding) => finding.name === name)
          .flatMap((finding) =>
            finding.advisories.filter(({ statement }) => statement.externalId === advisory),
          );
        const isVisible = listed.some(({ statement }) => statement.severity !== 'none');
        const expected = isVisible
          ? 'finding'
          : listed.length > 0
            ? 'hidden'
            : expect.stringMatching(/^(not_a_finding|unknown)$/);
        const { verdict, packages, detail } = explanation;
        expect({ name, advisory, verdict, packages }).toEqual({
          name,
          advisory,
          verdict: expected,
          packages,
        });
        expect(detail).toMatch(/^\S.*\.$/);
        const found = packages.filter(({ reason }) => reason === 'finding' || reason === 'hidden');
        expect(found.map(({ fixState }) => fixState).sort()).toEqual(
          listed.map(({ fixState }) => fixState).sort(),
        );
        for (const { reason } of packages) seen.add(reason);
      }
    });
  });
});

it('the drawn hosts have findings and packages without one, for each reason', () => {
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'finding',
      'hidden',
      'fixed',
      'no_verdict',
      'kernel_not_running',
      'withdrawn',
      'other_build',
    ]),
  );
});
