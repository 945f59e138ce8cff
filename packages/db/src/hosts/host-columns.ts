import {
  judgeOverview,
  type OverviewFacts,
  type ReleaseOverviewFacts,
  unknownRelease,
} from '@plimsoll/advisories';
import {
  type DueState,
  type HostId,
  type HostScope,
  patchRhythmState,
  type Release,
  type RepositoriesState,
} from '@plimsoll/model';
import {
  type FlagColumn,
  flagColumns,
  type NumberColumn,
  numberColumns,
  type TextColumn,
  type TimeColumn,
  textColumns,
  timeColumns,
  type WordColumn,
  wordLists,
} from './column-names.ts';
import type { PositionOrder } from './position-order.ts';
import { TagSets } from './tag-sets.ts';

/** A release with the facts on which the overviews of its hosts depend. */
export interface OverviewRelease extends ReleaseOverviewFacts {
  readonly id: number;
  readonly name: Release;
}

/** Texts that are kept once although many hosts have them; beyond this many, memory is not saved. */
const mostShared = 20_000;
/** Characters. Longer texts are not kept: a host can send another one with each upload. */
const longestShared = 64;
const firstCapacity = 1_024;

/**
 * All hosts in memory, column by column: a host is a position in every column. About 400 bytes per host. Facts come
 * from the database; the judgement of each host is derived from them and holds at the time given last.
 */
export class HostColumns {
  readonly numbers = tableOf(numberColumns, () => new Int32Array(firstCapacity));
  readonly times = tableOf(timeColumns, () => new Float64Array(firstCapacity).fill(Number.NaN));
  readonly codes = tableOf(
    Object.keys(wordLists) as WordColumn[], // The object's own keys.
    () => new Uint8Array(firstCapacity),
  );
  readonly flags = tableOf(flagColumns, () => new Uint8Array(firstCapacity));
  readonly texts = tableOf(textColumns, (): string[] => []);
  readonly ids: HostId[] = [];
  readonly hostnames: string[] = [];
  readonly displayNames: string[] = [];
  readonly addresses: (string | null)[] = [];
  /** The display name, hostname and address in lower case, separated by NUL. */
  readonly searched: string[] = [];
  /** What the numbers in `tagSetId` mean. */
  readonly tagSets = new TagSets();
  /** By position: the host that has the same machine id. */
  readonly conflicts = new Map<number, HostId>();
  readonly words = tableOf(
    Object.keys(wordLists) as WordColumn[], // The object's own keys.
    (column): string[] => [...wordLists[column]],
  );
  releases: ReadonlyMap<number, OverviewRelease> = new Map();
  /** Positions in use, including those of deleted hosts. */
  size = 0;
  /** Hosts that are not deleted. */
  hosts = 0;
  /** Changes with every change except those of times. */
  revision = 0;

  /** By column; they follow its changes. */
  private readonly orders = new Map<string, PositionOrder>();
  private readonly positions = new Map<string, number>();
  private readonly shared = new Map<string, string>();
  private judgedAt = Number.NEGATIVE_INFINITY;
  private earliestDeadline = Number.POSITIVE_INFINITY;

  /** The position of a host; null if it is not known. */
  find(id: string): number | null {
    return this.positions.get(id) ?? null;
  }

  isPresent(position: number): boolean {
    return this.flags.isPresent[position] === 1;
  }

  /** The order by a column; `make` makes it when it is first asked for. */
  orderBy(column: string, make: () => PositionOrder): PositionOrder {
    const order = this.orders.get(column) ?? make();
    this.orders.set(column, order);
    return order;
  }

  /** The position of a host, a new one if it is not known. */
  place(id: HostId): number {
    const known = this.positions.get(id);
    if (known !== undefined) return known;
    const position = this.size;
    this.reserve(position + 1);
    this.size += 1;
    this.hosts += 1;
    this.ids[position] = id;
    this.flags.isPresent[position] = 1;
    this.positions.set(id, position);
    this.noteHost(position);
    return position;
  }

  /** Removes a host. Its position is not used again. */
  remove(id: string): void {
    const position = this.positions.get(id);
    if (position === undefined) return;
    this.positions.delete(id);
    this.flags.isPresent[position] = 0;
    this.times.judgedUntil[position] = Number.POSITIVE_INFINITY;
    this.hosts -= 1;
    this.conflicts.delete(position);
    this.tagSets.giveBack(this.numbers.tagSetId[position] ?? 0);
    this.numbers.tagSetId[position] = 0;
    this.noteHost(position);
  }

  setNumber(column: NumberColumn, position: number, value: number): void {
    if (this.numbers[column][position] === value) return;
    this.numbers[column][position] = value;
    this.note(column, position);
  }

  setTime(column: TimeColumn, position: number, value: number | null): void {
    const time = value ?? Number.NaN;
    if (Object.is(this.times[column][position], time)) return;
    this.times[column][position] = time;
    this.orders.get(column)?.note(position);
  }

  setFlag(column: FlagColumn, position: number, isSet: boolean): void {
    if (this.flags[column][position] === Number(isSet)) return;
    this.flags[column][position] = Number(isSet);
    this.note(column, position);
  }

  setWord(column: WordColumn, position: number, word: string): void {
    const list = this.words[column];
    const known = list.indexOf(word);
    const code = known === -1 ? list.push(word) - 1 : known;
    if (this.codes[column][position] === code) return;
    this.codes[column][position] = code;
    this.note(column, position);
  }

  setText(column: TextColumn, position: number, text: string): void {
    if (this.texts[column][position] === text) return;
    this.texts[column][position] = this.share(text);
    this.note(column, position);
  }

  setNames(
    position: number,
    names: { readonly displayName: string; readonly hostname: string; readonly address: string | null },
  ): void {
    const { displayName, hostname, address } = names;
    if (this.displayNames[position] !== displayName) {
      this.displayNames[position] = displayName;
      this.note('displayName', position);
    }
    if (this.hostnames[position] !== hostname) {
      // Most hosts have one name: kept once.
      this.hostnames[position] = hostname === displayName ? (this.displayNames[position] ?? '') : hostname;
      this.note('hostname', position);
    }
    if (this.addresses[position] !== address) {
      this.addresses[position] = address;
      this.note('address', position);
    }
    this.searched[position] = `${displayName}\0${hostname}\0${address ?? ''}`.toLowerCase();
  }

  /** @param json an array of texts. */
  setTags(position: number, json: string): void {
    const before = this.numbers.tagSetId[position] ?? 0;
    // First the new set, so that an unchanged one keeps its number.
    this.setNumber('tagSetId', position, this.tagSets.take(json));
    this.tagSets.giveBack(before);
  }

  tagsOf(position: number): readonly string[] {
    return this.tagSets.tagsOf(this.numbers.tagSetId[position] ?? 0);
  }

  /** Whether the host at a position is in a scope. Use it before the next `await`: it changes with the hosts. */
  seenIn(scope: HostScope): (position: number) => boolean {
    if (scope.kind === 'whole_fleet') return () => true;
    const isSeen = this.tagSets.seenIn(scope);
    const numbers = this.numbers.tagSetId;
    return (position) => isSeen[numbers[position] ?? 0] === 1;
  }

  /** The word of a host in a column of words. */
  wordOf(column: WordColumn, position: number): string {
    return this.words[column][this.codes[column][position] ?? 0] ?? '';
  }

  /** A time; null if there is none. */
  timeOf(column: TimeColumn, position: number): number | null {
    const time = this.times[column][position] ?? Number.NaN;
    return Number.isNaN(time) ? null : time;
  }

  /** Judges a host at the time given last. Call it after its facts changed. */
  judge(position: number): void {
    const facts = this.factsOf(position);
    this.setTime('reportedAt', position, facts.reportedAt);
    const judged = judgeOverview(facts, this.releaseOf(position), this.judgedAt);
    const overdueAt = this.timeOf('rhythmOverdueAt', position);
    const rhythm = patchRhythmState(
      overdueAt,
      { ...judged, availableUpdates: facts.availableUpdates },
      this.judgedAt,
    );
    const until =
      overdueAt === null || overdueAt < this.judgedAt ? judged.until : Math.min(judged.until, overdueAt);
    this.setWord('status', position, judged.status);
    this.setWord('coverage', position, judged.coverage);
    this.setWord('updatesState', position, judged.updatesState);
    this.setWord('repositoriesState', position, judged.repositoriesState);
    this.setWord('overallAction', position, judged.overallAction);
    this.setWord('patchRhythm', position, rhythm);
    this.setNumber('gaps', position, judged.gaps);
    this.times.judgedUntil[position] = until;
    this.earliestDeadline = Math.min(this.earliestDeadline, until);
  }

  /** Judges all hosts whose judgement does not hold at `now`. */
  judgeAt(now: number): void {
    const isBack = now < this.judgedAt;
    this.judgedAt = now;
    if (!isBack && now <= this.earliestDeadline) return;
    this.earliestDeadline = Number.POSITIVE_INFINITY;
    const until = this.times.judgedUntil;
    for (let position = 0; position < this.size; position += 1) {
      if (this.flags.isPresent[position] !== 1) continue;
      const deadline = until[position] ?? 0;
      if (isBack || deadline < now) this.judge(position);
      else this.earliestDeadline = Math.min(this.earliestDeadline, deadline);
    }
  }

  /** Replaces all releases, and judges the hosts of those that changed. */
  setReleases(releases: readonly OverviewRelease[]): void {
    const before = this.releases;
    this.releases = new Map(releases.map((release) => [release.id, release]));
    const changed = new Set(
      releases
        .filter((release) => JSON.stringify(before.get(release.id)) !== JSON.stringify(release))
        .map(({ id }) => id),
    );
    for (const id of before.keys()) if (!this.releases.has(id)) changed.add(id);
    if (changed.size === 0) return;
    this.revision += 1;
    for (let position = 0; position < this.size; position += 1) {
      if (this.flags.isPresent[position] !== 1) continue;
      if (changed.has(this.numbers.releaseId[position] ?? 0)) this.judge(position);
    }
  }

  /** When the host's newest report was made: a manual one may be older than its upload. */
  private reportedAtOf(position: number): number | null {
    const confirmedAt = this.timeOf('confirmedAt', position);
    if (this.flags.isManual[position] !== 1) return confirmedAt;
    const collectedAt =
      this.timeOf('collectedAt', position) ?? this.timeOf('snapshotCollectedAt', position) ?? confirmedAt;
    if (confirmedAt === null || collectedAt === null) return confirmedAt ?? collectedAt;
    return Math.min(confirmedAt, collectedAt);
  }

  private factsOf(position: number): OverviewFacts {
    return {
      hasReport: this.flags.hasReport[position] === 1,
      failedPulls: this.flags.failedPulls[position] === 1,
      reportedAt: this.reportedAtOf(position),
      staleAfterSeconds: this.numbers.staleAfterSeconds[position] ?? 0,
      updatesKnown: this.flags.updatesKnown[position] === 1,
      listsAt: this.timeOf('listsAt', position),
      // The database has only words of the lists in these columns.
      repositoriesState: this.wordOf('judgedRepositoriesState', position) as RepositoriesState,
      repositoriesValidUntil: this.timeOf('validUntil', position),
      unknown: this.numbers.unknown[position] ?? 0,
      availableUpdates: this.numbers.availableUpdates[position] ?? 0,
      rebootState: this.wordOf('rebootState', position) as DueState,
      restartState: this.wordOf('restartState', position) as DueState,
      grounds: this.numbers.grounds[position] ?? 0,
      supportEndsAt: this.timeOf('supportEndsAt', position),
    };
  }

  private releaseOf(position: number): ReleaseOverviewFacts {
    return this.releases.get(this.numbers.releaseId[position] ?? 0) ?? unknownRelease;
  }

  private note(column: string, position: number): void {
    this.revision += 1;
    this.orders.get(column)?.note(position);
  }

  /** A host was added or removed. */
  private noteHost(position: number): void {
    this.revision += 1;
    for (const order of this.orders.values()) order.note(position);
  }

  private share(text: string): string {
    if (text.length > longestShared) return text;
    const known = this.shared.get(text);
    if (known !== undefined) return known;
    if (this.shared.size < mostShared) this.shared.set(text, text);
    return text;
  }

  private reserve(positions: number): void {
    const capacity = this.numbers.gaps.length;
    if (positions <= capacity) return;
    const larger = Math.max(positions, Math.ceil(capacity * 1.5));
    for (const column of numberColumns) {
      this.numbers[column] = copyInto(new Int32Array(larger), this.numbers[column]);
    }
    for (const column of timeColumns) {
      this.times[column] = copyInto(new Float64Array(larger).fill(Number.NaN), this.times[column]);
    }
    for (const column of Object.keys(this.codes) as WordColumn[]) {
      this.codes[column] = copyInto(new Uint8Array(larger), this.codes[column]);
    }
    for (const column of flagColumns) {
      this.flags[column] = copyInto(new Uint8Array(larger), this.flags[column]);
    }
  }
}

function copyInto<Values extends { set(values: ArrayLike<number>): void }>(
  larger: Values,
  values: ArrayLike<number>,
): Values {
  larger.set(values);
  return larger;
}

function tableOf<Column extends string, Values>(
  columns: readonly Column[],
  make: (column: Column) => Values,
): Record<Column, Values> {
  return Object.fromEntries(columns.map((column) => [column, make(column)])) as Record<Column, Values>; // Every column.
}
