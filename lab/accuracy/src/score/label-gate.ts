import type { Figures, LabelFigures } from './figures.ts';
import { labelCounts, labelRates, labelTargets } from './label-figures.ts';

/**
 * The regressions in the comparison with match labels, each a sentence: a supported match that is newly
 * missed, a wrong one that is newly reported, fewer matches found, more undecided ones above 10 %, or an
 * image that is no longer judged.
 */
export function worseLabels(committed: Figures['labels'], now: Figures['labels']): readonly string[] {
  if (committed === null) return [];
  if (now === null) return ['match labels are no longer compared: name their folder with --labels'];
  const fresh = now.judged.filter(({ image }) => !committed.judged.some((before) => before.image === image));
  const known = new Set([
    ...namesOf(now.outside),
    ...now.judged.map(({ image, release }) => `${image} (${release})`),
  ]);
  return [
    ...committed.judged.flatMap((before) =>
      worseImage(
        before,
        now.judged.find(({ image }) => image === before.image),
      ),
    ),
    ...namesOf(committed.outside).flatMap((name) => (known.has(name) ? [] : [notCompared(name)])),
    ...fresh.flatMap((image) => newLines('misses', image.image, {}, image.missed)),
  ];
}

function namesOf(outside: NonNullable<Figures['labels']>['outside']): readonly string[] {
  return Object.values(outside).flatMap((images) => Object.keys(images));
}

function notCompared(image: string): string {
  return `the labels of ${image}: are no longer compared`;
}

function worseImage(before: LabelFigures, now: LabelFigures | undefined): readonly string[] {
  if (now === undefined) return [notCompared(before.image)];
  const name = `the labels of ${before.image}`;
  const [old, fresh] = [labelCounts(before), labelCounts(now)];
  const share = labelRates(fresh).undecided ?? 0;
  const hit = (counts: typeof old) => counts.found + counts.hidden;
  return [
    ...newLines('misses', before.image, before.missed, now.missed),
    ...newLines('raises', before.image, before.raised, now.raised),
    ...(hit(fresh) < hit(old) ? [`${name}: ${hit(fresh)} are found, ${hit(old)} before`] : []),
    ...(fresh.found < old.found && hit(fresh) >= hit(old)
      ? [`${name}: ${fresh.found} are visible, ${old.found} before`]
      : []),
    ...(share > labelTargets.undecided && fresh.undecided > old.undecided
      ? [`${name}: ${fresh.undecided} are undecided, ${old.undecided} before, more than 10 %`]
      : []),
  ];
}

function newLines(
  what: string,
  image: string,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(now).flatMap(([name, ids]) => {
    const known = new Set((before[name] ?? '').split(' '));
    return ids
      .split(' ')
      .filter((id) => !known.has(id))
      .map((id) => `the labels of ${image}: ${what} ${id} of ${name}`);
  });
}

/** The same for recorded answers of osv-scanner: a pair that is newly missing or extra, and fewer that agree. */
export function worseCassettes(
  committed: Figures['osvScanner'],
  now: Figures['osvScanner'],
): readonly string[] {
  if (committed === null) return [];
  if (now === null) {
    return ['answers of osv-scanner are no longer compared: name their folder with --osv-scanner'];
  }
  return committed.flatMap((before) => {
    const name = `osv-scanner on ${before.ecosystem}`;
    const own = now.find(({ ecosystem }) => ecosystem === before.ecosystem);
    if (own === undefined || (before.why === null && own.why !== null))
      return [`${name}: is no longer compared`];
    const fresh = (what: 'missing' | 'extra') =>
      own[what].filter((pair) => !before[what].includes(pair)).map((pair) => `${name}: ${what} ${pair}`);
    return [
      ...fresh('missing'),
      ...fresh('extra'),
      ...(own.agreed < before.agreed ? [`${name}: ${own.agreed} agree, ${before.agreed} before`] : []),
    ];
  });
}
