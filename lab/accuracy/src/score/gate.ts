import type { ComparisonFigures, Figures, GroupFigures, RebuildFigures } from './figures.ts';
import { worseCassettes, worseLabels } from './label-gate.ts';
import { type Rates, ratesOf, reviewedRatesOf, undecidedLimit, undecidedShareOf } from './rates.ts';

/**
 * What is worse than the committed figures, each a sentence; empty: the gate passes. Worse is: a rate of a
 * release that falls, a new missing line, more differences, more than 10 % of packages without a verdict, a
 * pair that rebuilds of one source judge differently, and a comparison, release, host, file or version order
 * that is missing from the new figures; of match labels and recorded answers see worseLabels and worseCassettes.
 */
export function worseThan(committed: Figures, now: Figures): readonly string[] {
  return [
    ...committed.comparisons.flatMap((before) =>
      worseComparison(before, now.comparisons.find(isSame(before))),
    ),
    ...newMisses(committed, now),
    ...committed.groups.flatMap((before) => worseGroup(before, now.groups.find(isOf(before)))),
    ...now.groups.flatMap(overLimit),
    ...committed.rebuilds.flatMap((before) => worseRebuild(before, now.rebuilds.find(isCheck(before)))),
    ...worseLabels(committed.labels, now.labels),
    ...worseCassettes(committed.osvScanner, now.osvScanner),
    ...newlySilent(committed, now),
    ...worseInputs(committed, now),
  ];
}

function isSame({ evaluation, oracle }: ComparisonFigures) {
  return (other: ComparisonFigures) => other.evaluation === evaluation && other.oracle === oracle;
}

function isOf({ release }: GroupFigures) {
  return (other: GroupFigures) => other.release === release;
}

function worseComparison(before: ComparisonFigures, now: ComparisonFigures | undefined): readonly string[] {
  const name = `${before.evaluation} against ${before.oracle}`;
  if (now === undefined) return [`${name}: is no longer compared`];
  const rises = (['extra', 'other'] as const).filter((kind) => now[kind] > before[kind]);
  return [
    ...(now.expected < before.expected
      ? [`${name}: the oracle has ${now.expected} lines, ${before.expected} before`]
      : []),
    ...(now.agreed < before.agreed ? [`${name}: ${now.agreed} agree, ${before.agreed} before`] : []),
    ...rises.map((kind) => `${name}: ${now[kind]} ${kind}, ${before[kind]} before`),
  ];
}

/** Missing lines that the committed figures do not have, those of a new comparison included. */
function newMisses(committed: Figures, now: Figures): readonly string[] {
  return now.comparisons.flatMap((comparison) => {
    const known = committed.comparisons.find(isSame(comparison))?.missed ?? {};
    return Object.entries(comparison.missed).flatMap(([name, ids]) => {
      const before = new Set((known[name] ?? '').split(' '));
      const fresh = ids.split(' ').filter((id) => !before.has(id));
      return fresh.map(
        (id) => `${comparison.evaluation} against ${comparison.oracle}: misses ${id} of ${name}`,
      );
    });
  });
}

function worseGroup(before: GroupFigures, now: GroupFigures | undefined): readonly string[] {
  if (now === undefined) return [`${before.release}: is no longer judged`];
  return [
    ...(now.hosts < before.hosts ? [`${before.release}: ${now.hosts} hosts, ${before.hosts} before`] : []),
    ...worseRates(`${before.release} as the oracles say`, ratesOf(before), ratesOf(now)),
    ...worseRates(
      `${before.release} without reviewed differences`,
      reviewedRatesOf(before),
      reviewedRatesOf(now),
    ),
  ];
}

function worseRates(name: string, before: Rates | null, now: Rates | null): readonly string[] {
  if (before === null) return [];
  if (now === null) return [`${name}: is no longer measured line by line`];
  return (['precision', 'recall', 'f1'] as const)
    .filter((rate) => now[rate] < before[rate])
    .map((rate) => `${name}: ${rate} ${now[rate].toFixed(4)}, ${before[rate].toFixed(4)} before`);
}

function overLimit(group: GroupFigures): readonly string[] {
  const share = undecidedShareOf(group);
  if (share === null || share <= undecidedLimit) return [];
  return [`${group.release}: ${group.undecided} of ${group.packages} packages are undecided, more than 10 %`];
}

function isCheck({ inventory, vendors }: RebuildFigures) {
  return (other: RebuildFigures) => other.inventory === inventory && other.vendors.join() === vendors.join();
}

function worseRebuild(before: RebuildFigures, now: RebuildFigures | undefined): readonly string[] {
  const name = `${before.inventory} as ${before.vendors.join(' and ')}`;
  if (now === undefined) return [`${name}: is no longer compared`];
  const known = new Set([...before.sameBuild, ...before.otherBuild]);
  const fresh = [...now.sameBuild, ...now.otherBuild].filter((line) => !known.has(line));
  return [
    ...(now.named < before.named ? [`${name}: ${now.named} pairs, ${before.named} before`] : []),
    ...fresh.map((line) => `${name}: ${line}`),
  ];
}

function newlySilent(committed: Figures, now: Figures): readonly string[] {
  const known = new Set(committed.silent.map(({ inventory }) => inventory));
  const fresh = now.silent.filter(({ inventory }) => !known.has(inventory));
  return fresh.map(({ inventory, release }) => `${inventory} (${release}): no file of advisories covers it`);
}

function worseInputs(committed: Figures, now: Figures): readonly string[] {
  const feeds = committed.feeds.flatMap((before): string[] => {
    const own = now.feeds.find(({ file }) => file === before.file);
    if (before.unread !== null || (own !== undefined && own.unread === null)) return [];
    return [`${before.file}: is no longer read`];
  });
  const orders = committed.orders.flatMap((before): string[] => {
    const own = now.orders.find(({ name }) => name === before.name);
    if (own === undefined) return [`${before.name}: versions are no longer compared`];
    return own.wrong > before.wrong || own.pairs < before.pairs
      ? [
          `${before.name}: ${own.wrong} of ${own.pairs} pairs wrong, ${before.wrong} of ${before.pairs} before`,
        ]
      : [];
  });
  return [...feeds, ...orders];
}
