import type { AccuracyResult, ComparisonResult, EvaluationResult } from '../accuracy-result.ts';
import type { Difference } from '../expectation/difference.ts';
import type { FeedFileResult } from '../feeds/read-feed-file.ts';
import type { RebuildCheck, Silence } from '../rebuilds/check-rebuilds.ts';
import type { ComparisonFigures, Figures, GroupFigures, RebuildFigures } from './figures.ts';
import { labelFigures } from './label-figures.ts';

/** The figures of a run, in the order of its evaluations; groups by release. */
export function figuresOf({
  evaluations,
  silent,
  oracles,
  rebuilds,
  feeds,
  labels,
  cassettes,
}: AccuracyResult): Figures {
  const comparisons = evaluations.flatMap((evaluation) =>
    evaluation.comparisons.map((comparison) => comparisonFigures(evaluation, comparison)),
  );
  const releases = [...new Set(evaluations.map(({ release }) => release))].sort();
  return {
    comparisons,
    groups: releases.map((release) =>
      groupFigures(
        release,
        evaluations.filter((evaluation) => evaluation.release === release),
        comparisons.filter((comparison) => comparison.release === release),
      ),
    ),
    rebuilds: rebuilds.map(rebuildFigures),
    labels: labels === null ? null : labelFigures(labels),
    osvScanner:
      cassettes?.map(({ missing, extra, ...check }) => ({
        ...check,
        missing: [...missing],
        extra: [...extra],
      })) ?? null,
    silent: silent.map(({ inventory, release }) => ({ inventory, release })),
    orders: oracles.map(({ name, pairs, wrong }) => ({ name, pairs, wrong: wrong.length })),
    feeds: feeds.map(feedFigures),
  };
}

function comparisonFigures(
  { name, inventory, release, feeds, asOf }: EvaluationResult,
  { kind, title, comparison: { agreed, expected, differences }, review }: ComparisonResult,
): ComparisonFigures {
  const countOf = (list: readonly Difference[], wanted: Difference['kind']) =>
    list.filter((difference) => difference.kind === wanted).length;
  const missing = countOf(differences, 'missing');
  const extra = countOf(differences, 'extra');
  return {
    evaluation: name,
    inventory,
    release,
    feeds: [...feeds],
    asOf: asOf === null ? null : dayOf(asOf),
    oracle: title,
    compares: kind === 'counts' ? 'numbers' : 'lines',
    expected,
    agreed,
    missing,
    extra,
    other: differences.length - missing - extra,
    openMissing: countOf(review.open, 'missing'),
    openExtra: countOf(review.open, 'extra'),
    classes: [
      ...review.reviewed.map(({ entry, differences: list }) => ({
        difference: entry.difference,
        about: [entry.id, entry.package, entry.why].filter((word) => word !== undefined).join(' '),
        count: list.length,
        reason: entry.reason,
      })),
      ...openClasses(review.open),
    ],
    missed: missedOf(differences),
  };
}

/** Differences that were not reviewed, by kind and package. */
function openClasses(open: readonly Difference[]): ComparisonFigures['classes'] {
  const classes = new Map<string, ComparisonFigures['classes'][number]>();
  for (const { kind, package: name, id } of open) {
    const about = name === '' ? id : name;
    const count = classes.get(`${kind} ${about}`)?.count ?? 0;
    classes.set(`${kind} ${about}`, { difference: kind, about, count: count + 1, reason: null });
  }
  return [...classes.values()];
}

function missedOf(differences: readonly Difference[]): Record<string, string> {
  const ids = new Map<string, Set<string>>();
  for (const { kind, package: name, id } of differences) {
    if (kind === 'missing') ids.set(name, (ids.get(name) ?? new Set()).add(id));
  }
  const names = [...ids.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, [...(ids.get(name) ?? [])].sort().join(' ')]));
}

function groupFigures(
  release: string,
  evaluations: readonly EvaluationResult[],
  comparisons: readonly ComparisonFigures[],
): GroupFigures {
  // The verdict of a package does not depend on the feed: one evaluation per host is enough.
  const hosts = [...new Map(evaluations.map((each) => [each.inventory, each.summary])).values()];
  const lines = comparisons.filter(({ compares }) => compares === 'lines');
  return {
    release,
    hosts: hosts.length,
    packages: total(hosts.map(({ packages }) => packages)),
    undecided: total(
      hosts.flatMap(({ verdicts }) =>
        [...verdicts].map(([verdict, count]) => (verdict.startsWith('unknown') ? count : 0)),
      ),
    ),
    agreed: total(lines.map(({ agreed }) => agreed)),
    missing: total(lines.map(({ missing }) => missing)),
    extra: total(lines.map(({ extra }) => extra)),
    openMissing: total(lines.map(({ openMissing }) => openMissing)),
    openExtra: total(lines.map(({ openExtra }) => openExtra)),
  };
}

function rebuildFigures({
  inventory,
  asOf,
  vendors,
  named,
  same,
  silent,
  differing,
}: RebuildCheck): RebuildFigures {
  const linesOf = (wanted: RebuildCheck['differing'][number]['cause']) =>
    differing.filter(({ cause }) => cause === wanted).map(({ text }) => text);
  return {
    inventory,
    asOf: dayOf(asOf),
    vendors: [...vendors],
    named,
    same,
    silent: [silenceFigures(silent[0]), silenceFigures(silent[1])],
    sameBuild: linesOf('same_build'),
    otherBuild: linesOf('other_build'),
  };
}

function silenceFigures(silence: Silence): RebuildFigures['silent'][number] {
  const most = [...silence].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 3);
  return {
    pairs: total([...silence.values()]),
    mostly: most.map(([name, pairs]) => `${name} ${pairs}`).join(', '),
  };
}

function feedFigures({ file, read }: FeedFileResult): Figures['feeds'][number] {
  if (read.kind === 'unread') return { file, records: 0, rejected: 0, newest: null, unread: read.detail };
  return {
    file,
    records: read.records,
    rejected: total([...read.rejected.values()]),
    newest: read.newest === null ? null : dayOf(read.newest),
    unread: null,
  };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
