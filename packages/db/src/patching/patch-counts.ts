import { type Severity, severities } from '@plimsoll/model';

/** Exposures of one host that are equal in everything that is counted. */
export interface CountedExposures {
  readonly severity: Severity;
  /** Whether the advisory names a version with the fix. */
  readonly hasFix: boolean;
  /** Their number. */
  readonly count: number;
  /** When they began. In milliseconds since 1970. */
  readonly from: number;
  /** How many hours they took, rounded up; 0 of those that are open. */
  readonly hours: number;
  /** Hours between the stages, rounded up; null: not known or not reached. */
  readonly stages: Readonly<Record<PatchStage, number | null>>;
}

/** The parts of the time that an exposure takes. */
export const patchStages = ['known', 'offered', 'installed', 'running'] as const;

/** A part of the time that an exposure takes. */
export type PatchStage = (typeof patchStages)[number];

const hourMs = 3600 * 1000;
const stagesOfNone = { known: null, offered: null, installed: null, running: null };

/** Hours between two times, rounded up; never negative. */
export function hoursBetween(from: number, to: number): number {
  return Math.max(0, Math.ceil((to - from) / hourMs));
}

/** What the stages of an exposure are computed from. */
export interface StagedExposure {
  readonly from: Date;
  /** Whether it began with a change of what is known, and not with one on the host. */
  readonly isFromKnowledge: boolean;
  readonly publishedAt: Date | null;
  readonly offeredAt: Date | null;
  readonly installedAt: Date | null;
  readonly runningAt: Date | null;
}

/**
 * The stages: from publication to the start, if the host had the package before it was known to be affected; from the
 * start to the offer; from the later of both to the installation; from there until it ran.
 */
export function stagesOf(exposure: StagedExposure): CountedExposures['stages'] {
  const [from, published, offered, installed, running] = [
    exposure.from,
    exposure.publishedAt,
    exposure.offeredAt,
    exposure.installedAt,
    exposure.runningAt,
  ].map((time) => time?.getTime());
  const between = (start: number | undefined, end: number | undefined) =>
    start === undefined || end === undefined ? null : hoursBetween(start, end);
  return {
    known: exposure.isFromKnowledge ? between(published, from) : null,
    offered: between(from, offered),
    installed: offered === undefined ? null : between(Math.max(from ?? 0, offered), installed),
    running: between(installed, running),
  };
}

/** Sums up equal exposures; without stages they are equal in fewer properties. */
export function countEqual(
  exposures: readonly Omit<CountedExposures, 'count'>[],
  { withStages }: { readonly withStages: boolean },
): readonly CountedExposures[] {
  const counted = new Map<string, CountedExposures>();
  for (const { severity, hasFix, from, hours, ...one } of exposures) {
    const stages = withStages ? one.stages : stagesOfNone;
    const key = [severity, hasFix, from, hours, ...patchStages.map((stage) => stages[stage])].join();
    const count = (counted.get(key)?.count ?? 0) + 1;
    counted.set(key, { severity, hasFix, from, hours, stages, count });
  }
  return [...counted.values()];
}

/**
 * Encodes counted exposures: numbers in groups of seven bits, lowest first. Each entry says its own length, so that
 * encoded lists can be joined. The order of entries depends only on them.
 */
export function encodeCounts(counts: readonly CountedExposures[]): Buffer {
  const entries = counts.map(({ severity, hasFix, count, from, hours, stages }) => {
    const bytes: number[] = [];
    pushNumber(bytes, severities.indexOf(severity) * 2 + (hasFix ? 1 : 0));
    pushNumber(bytes, count);
    pushNumber(bytes, from);
    pushNumber(bytes, hours);
    for (const stage of patchStages) pushNumber(bytes, (stages[stage] ?? -1) + 1);
    return Buffer.from(bytes);
  });
  return Buffer.concat(entries.sort(Buffer.compare));
}

/** Calls `take` for each entry of what encodeCounts returned, or of several joined. */
export function eachCount(bytes: Uint8Array, take: (counts: CountedExposures) => void): void {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const stage = (): number | null => {
    const value = next();
    return value === 0 ? null : value - 1;
  };
  while (at < bytes.length) {
    const word = next();
    const [count, from, hours] = [next(), next(), next()];
    const stages = { known: stage(), offered: stage(), installed: stage(), running: stage() };
    take({
      severity: severities[word >> 1] ?? 'unrated',
      hasFix: word % 2 === 1,
      count,
      from,
      hours,
      stages,
    });
  }
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
