import {
  type AssessedHost,
  type AssessedPackage,
  assessHost,
  countKernels,
  type DueRule,
  DueTally,
  dueTermsOf,
  type HostDue,
  HostWaivers,
  type PackageSummary,
  summariseUnder,
} from '@plimsoll/advisories';
import { hostKinds } from '@plimsoll/advisories/drawn-hosts';
import { bitsOfGrounds, type PackageVersionId, type Statement, type WaiverId } from '@plimsoll/model';
import fc from 'fast-check';
import { encodeEntry, FindingListWriter } from '../src/judging/counting/finding-list.ts';
import { offerListOf } from '../src/judging/counting/offer-lists.ts';
import { PartCounter } from '../src/judging/counting/part-counter.ts';
import { VersionMemory } from '../src/knowledge/version-memory.ts';

const now = Date.UTC(2026, 10, 23);
const dayMs = 24 * 60 * 60_000;
const rules: readonly DueRule[] = [
  { severity: 'critical', within: 3, clock: 'installed', forensics: false },
  { knownExploited: true, within: 14, clock: 'kev', forensics: false },
  { severity: 'important', within: 30, clock: 'detected', forensics: false },
  { within: 60, clock: 'published', forensics: false },
];

/** The statement with dates that follow from its id. */
function dated(statement: Statement): Statement {
  const statedAt = now - ((statement.statementId * 7) % 90) * dayMs;
  const fixPublishedAt = statement.fix.kind === 'fixed' ? statedAt : null;
  const cves = statement.cves.map((id) => ({ id, exploitedAt: null, ssvc: null }));
  return { ...statement, dates: { fixPublishedAt, isFixDateKnown: true, statedAt, cves } };
}

const waivers = fc.option(
  fc.record({
    advisories: fc.subarray(['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003'], { minLength: 1 }),
    packages: fc.subarray(['curl', 'linux', 'kernel'], { maxLength: 1 }),
  }),
);

/** A host as it is counted: with dates, due dates and waivers. */
function judged(
  { packages, runningKernel, facts }: AssessedHost,
  { isDue, waived }: { isDue: boolean; waived: { advisories: string[]; packages: string[] } | null },
): AssessedHost {
  const withDates = <Each extends { readonly statements: readonly Statement[] }>(each: Each): Each => ({
    ...each,
    statements: isDue ? each.statements.map(dated) : each.statements,
  });
  const due: HostDue = {
    terms: dueTermsOf({ preset: null, rules: [...rules] }, 'internal', []),
    now,
    installedAt: (id) => now - (id % 40) * dayMs,
    firstReportAt: now - 45 * dayMs,
  };
  const waiver = {
    id: 'w' as WaiverId,
    kind: 'mitigated' as const,
    createdBy: 'ada',
    purls: [],
    expiresAt: new Date(now + dayMs),
  };
  const named = waived?.packages.length === 0 ? waived : { advisories: [], packages: waived?.packages ?? [] };
  return {
    packages: packages.map(withDates),
    runningKernel: runningKernel && withDates(runningKernel),
    facts: {
      ...facts,
      ...(isDue ? { due } : {}),
      ...(waived === null ? {} : { waivers: new HostWaivers([{ ...waiver, ...named }]) }),
    },
  };
}

/** The finding list of a host that is counted as one part. */
function wholeList({ packages, runningKernel, facts }: AssessedHost) {
  const summarise = (each: (typeof packages)[number]) => summariseUnder(facts.waivers, each);
  const { findings } = countKernels({
    packages: packages.map(summarise),
    runningKernel: runningKernel && summarise(runningKernel),
    facts,
  });
  const due = new DueTally(facts.due);
  const writer = new FindingListWriter(findings.length);
  for (const { entry, due: span } of findings.toSorted((a, b) => a.entry.versionId - b.entry.versionId))
    writer.entry(
      encodeEntry(entry),
      due.add(span, entry.versionId),
      due.installationOf(span, entry.versionId),
    );
  return writer.written();
}

/** A counter for hosts whose package versions have the ids of other hosts' versions. */
class CounterOfOne {
  private readonly versions = new VersionMemory();
  private readonly parts = new PartCounter();
  private loaded: readonly AssessedPackage[] = [];

  count({ packages, runningKernel, facts }: AssessedHost) {
    const all = runningKernel === null ? packages : [...packages, runningKernel];
    if (all.some((each, place) => each !== this.loaded[place]))
      this.versions.keep(all, this.versions.followPolicy(false));
    this.loaded = all;
    const waived = new Map<PackageVersionId, PackageSummary>();
    for (const each of all) {
      const summary = summariseUnder(facts.waivers, each);
      if (summary.waived !== null) waived.set(each.id, summary);
    }
    const ids = packages.map(({ id }) => id).sort((a, b) => a - b);
    const offers = offerListOf(facts.upgrades.map((offer, id) => ({ id, offer })));
    return this.parts.count({
      packages: this.versions.select(ids, { flagged: offers.flagged, held: facts.held, waived }),
      runningKernel: runningKernel && (waived.get(runningKernel.id) ?? this.versions.get(runningKernel.id)),
      facts,
      offers,
      context: 'one',
      kernelFacts: 'one',
    });
  }
}

describe.each(hostKinds)('the parts of every %s host', (_kind, hosts) => {
  const cases = fc.record({ host: hosts, isDue: fc.boolean(), waived: waivers });

  it('add up to its assessment and its finding list, also when they were kept', () => {
    let [alike, offered] = [0, 0];
    fc.assert(
      fc.property(cases, ({ host, isDue, waived }) => {
        const subject = judged(host.subject, { isDue, waived });
        const whole = assessHost(subject);
        const counter = new CounterOfOne();
        const first = counter.count(subject);
        expect({ ...whole, grounds: bitsOfGrounds(whole.grounds) }).toMatchObject(first.sums);
        expect(first.findings).toEqual(wholeList(subject));
        expect(counter.count(subject)).toEqual(first);
        alike += subject.packages.length > 1 ? 1 : 0;
        offered += subject.facts.upgrades.length > 0 ? 1 : 0;
      }),
      { seed: 20_261_123, numRuns: 80 },
    );
    expect(Math.min(alike, offered)).toBeGreaterThan(10);
  });

  it('are counted anew after their versions changed', () => {
    let different = 0;
    fc.assert(
      fc.property(hosts, ({ subject }) => {
        const counter = new CounterOfOne();
        const before = counter.count(subject);
        const fixed: AssessedHost = {
          ...subject,
          packages: subject.packages.map((each) => ({ ...each, statements: [] })),
        };
        const after = counter.count(fixed);
        expect(after.sums.counts).toEqual(assessHost(fixed).counts);
        expect(after.findings).toEqual(wholeList(fixed));
        if (before.findings.size !== after.findings.size) different += 1;
        expect(counter.count(subject)).toEqual(before);
      }),
      { seed: 20_261_123, numRuns: 25 },
    );
    expect(different).toBeGreaterThan(2);
  });
});
