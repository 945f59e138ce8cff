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
  /** From when on their time counts: earlier than `from` if they continue exposures about the same CVEs. */
  readonly timedFrom: number;
  /** How many hours they took, rounded up; 0 of those that are open, and of time spans within them. */
  readonly hours: number;
  /** Hours between the stages, rounded up; null: not known or not reached. Of time spans: see spanSince. */
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
  readonly publishedAt: Date | null;
  readonly offeredAt: Date | null;
  readonly installedAt: Date | null;
  readonly runningAt: Date | null;
}

/**
 * The stages: from publication to the start, if the host had the package before it was known to be affected; from the
 * start to the offer; from the later of both to the installation; from there until it ran.
 * @param isFromKnowledge whether it began with a change of what is known, and not with one on the host
 */
export function stagesOf(
  exposure: StagedExposure,
  { isFromKnowledge }: { readonly isFromKnowledge: boolean },
): CountedExposures['stages'] {
  const from = exposure.from.getTime();
  const offered = timeOf(exposure.offeredAt);
  const installed = timeOf(exposure.installedAt);
  return {
    known: isFromKnowledge ? hoursIfKnown(timeOf(exposure.publishedAt), from) : null,
    offered: hoursIfKnown(from, offered),
    installed: offered === null ? null : hoursIfKnown(Math.max(from, offered), installed),
    running: hoursIfKnown(installed, timeOf(exposure.runningAt)),
  };
}

function timeOf(date: Date | null): number | null {
  return date === null ? null : date.getTime();
}

function hoursIfKnown(start: number | null, end: number | null): number | null {
  return start === null || end === null ? null : hoursBetween(start, end);
}

/** Sums up equal exposures; without stages they are equal in fewer properties. */
export function countEqual(
  exposures: readonly Omit<CountedExposures, 'count'>[],
  { withStages }: { readonly withStages: boolean },
): readonly CountedExposures[] {
  const counted = new Map<string, { -readonly [Key in keyof CountedExposures]: CountedExposures[Key] }>();
  for (const exposure of exposures) {
    const { severity, hasFix, from, timedFrom, hours } = exposure;
    const stages = withStages ? exposure.stages : stagesOfNone;
    const { known, offered, installed, running } = stages;
    const key = `${severity} ${hasFix} ${from} ${timedFrom} ${hours} ${known} ${offered} ${installed} ${running}`;
    const same = counted.get(key);
    if (same === undefined) counted.set(key, { severity, hasFix, from, timedFrom, hours, stages, count: 1 });
    else same.count += 1;
  }
  return [...counted.values()];
}

/** Stages in which entries of time spans say since when, in milliseconds since 1970: whole seconds, and the rest. */
export function spanSince(at: number): CountedExposures['stages'] {
  return { ...stagesOfNone, known: Math.floor(at / 1000), running: at % 1000 };
}

/** The severity and the fix in the first number of an entry are below this. */
const words = 16;
/** In the first number of an entry: a millisecond of the time before `from` that counts. Lists of earlier versions use the bit below. */
const earlierMs = 32;

/**
 * Encodes counted exposures: numbers in groups of seven bits, lowest first. Each entry says its own length, so that
 * encoded lists can be joined. The order of entries depends only on them.
 */
export function encodeCounts(counts: readonly CountedExposures[]): Buffer {
  const entries = counts.map(({ severity, hasFix, count, from, timedFrom, hours, stages }) => {
    const bytes: number[] = [];
    pushNumber(bytes, (from - timedFrom) * earlierMs + severities.indexOf(severity) * 2 + (hasFix ? 1 : 0));
    pushNumber(bytes, count);
    pushNumber(bytes, from);
    pushNumber(bytes, hours);
    for (const stage of patchStages) pushNumber(bytes, (stages[stage] ?? -1) + 1);
    return Buffer.from(bytes);
  });
  return Buffer.concat(entries.sort(Buffer.compare));
}

/**
 * Reads what encodeCounts returned, or several such lists joined, entry by entry into its fields: an object per entry
 * would take most of the time of a large fleet.
 */
export class CountReader {
  /** An index in `severities`. */
  severity = 0;
  hasFix = false;
  count = 0;
  from = 0;
  timedFrom = 0;
  hours = 0;
  /** In the order of `patchStages`; -1: null. */
  readonly stages = patchStages.map(() => -1);
  private bytes: Uint8Array = new Uint8Array();
  private at = 0;
  private last = 0;

  /** Begins with the bytes from `first` to before `last`. */
  read(bytes: Uint8Array, first = 0, last = bytes.length): this {
    this.bytes = bytes;
    this.at = first;
    this.last = last;
    return this;
  }

  /** Reads the next entry; false: there is none. */
  next(): boolean {
    if (this.at >= this.last) return false;
    const word = this.number();
    this.severity = (word % words) >> 1;
    this.hasFix = word % 2 === 1;
    this.count = this.number();
    this.from = this.number();
    this.timedFrom = word < earlierMs ? this.from : this.from - Math.floor(word / earlierMs);
    this.hours = this.number();
    for (let stage = 0; stage < this.stages.length; stage += 1) this.stages[stage] = this.number() - 1;
    return true;
  }

  private number(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let factor = 128; ; factor *= 128) {
      byte = bytes[this.at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
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
