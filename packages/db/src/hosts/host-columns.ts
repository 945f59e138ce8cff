import type { HostId, HostScope, Release } from '@plimsoll/model';
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
import { PositionOrder } from './position-order.ts';
import { TagSets } from './tag-sets.ts';

/** A release of hosts. */
export interface ReleaseOfHosts {
  readonly id: number;
  readonly name: Release;
  /** The feed whose advisories apply to it; null without one. */
  readonly feedId: string | null;
  /** The time of its feed's data of the release, in milliseconds since 1970; null: never imported. */
  readonly feedUpdatedAt: number | null;
}

/** Texts that are kept once although many hosts have them; beyond this many, memory is not saved. */
const mostShared = 20_000;
/** Characters. Longer texts are not kept: a host can send another one with each upload. */
const longestShared = 64;
const firstCapacity = 1_024;

/**
 * All hosts in memory, column by column: a host is a position in every column. About 300 bytes per host.
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
  readonly words = tableOf(
    Object.keys(wordLists) as WordColumn[], // The object's own keys.
    (column): string[] => [...wordLists[column]],
  );
  releases: ReadonlyMap<number, ReleaseOfHosts> = new Map();
  /** Positions in use, including those of deleted hosts. */
  size = 0;
  /** Hosts that are not deleted. */
  hosts = 0;
  /** Changes with every change except those of times. */
  revision = 0;

  private nameOrder: PositionOrder | null = null;
  private readonly positions = new Map<string, number>();
  private readonly shared = new Map<string, string>();

  /** The position of a host; null if it is not known. */
  find(id: string): number | null {
    return this.positions.get(id) ?? null;
  }

  isPresent(position: number): boolean {
    return this.flags.isPresent[position] === 1;
  }

  /** All hosts by display name, then by id. Valid until the next change of a host. */
  byName(): Int32Array {
    this.nameOrder ??= new PositionOrder(this, (a, b) => {
      const [x, y] = [this.displayNames[a] ?? '', this.displayNames[b] ?? ''];
      if (x !== y) return x < y ? -1 : 1;
      return (this.ids[a] ?? '') < (this.ids[b] ?? '') ? -1 : 1;
    });
    return this.nameOrder.positions();
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
    this.hosts -= 1;
    this.tagSets.giveBack(this.numbers.tagSetId[position] ?? 0);
    this.numbers.tagSetId[position] = 0;
    this.noteHost(position);
  }

  setNumber(column: NumberColumn, position: number, value: number): void {
    if (this.numbers[column][position] === value) return;
    this.numbers[column][position] = value;
    this.revision += 1;
  }

  setTime(column: TimeColumn, position: number, value: number | null): void {
    const time = value ?? Number.NaN;
    if (Object.is(this.times[column][position], time)) return;
    this.times[column][position] = time;
  }

  setFlag(column: FlagColumn, position: number, isSet: boolean): void {
    if (this.flags[column][position] === Number(isSet)) return;
    this.flags[column][position] = Number(isSet);
    this.revision += 1;
  }

  setWord(column: WordColumn, position: number, word: string): void {
    const list = this.words[column];
    const known = list.indexOf(word);
    const code = known === -1 ? list.push(word) - 1 : known;
    if (this.codes[column][position] === code) return;
    this.codes[column][position] = code;
    this.revision += 1;
  }

  setText(column: TextColumn, position: number, text: string): void {
    if (this.texts[column][position] === text) return;
    this.texts[column][position] = this.share(text);
    this.revision += 1;
  }

  setNames(
    position: number,
    names: { readonly displayName: string; readonly hostname: string; readonly address: string | null },
  ): void {
    const { displayName, hostname, address } = names;
    if (this.displayNames[position] !== displayName) {
      this.displayNames[position] = displayName;
      this.noteHost(position);
    }
    if (this.hostnames[position] !== hostname) {
      // Most hosts have one name: kept once.
      this.hostnames[position] = hostname === displayName ? (this.displayNames[position] ?? '') : hostname;
      this.revision += 1;
    }
    if (this.addresses[position] !== address) {
      this.addresses[position] = address;
      this.revision += 1;
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

  setReleases(releases: readonly ReleaseOfHosts[]): void {
    this.releases = new Map(releases.map((release) => [release.id, release]));
    this.revision += 1;
  }

  /** A host was added, removed or named anew. */
  private noteHost(position: number): void {
    this.revision += 1;
    this.nameOrder?.note(position);
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
