import { type HostId, type HostScope, type OsFamily, scopeKey } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { HostColumns } from '../hosts/host-columns.ts';
import type { HostMemory } from '../hosts/host-memory.ts';
import { SelectedHosts } from '../hosts/selected-hosts.ts';
import type { SetMemory } from '../interning/set-memory.ts';

/** A host in a list of hosts. */
export interface ListedHost {
  readonly id: HostId;
  readonly displayName: string;
  readonly hostname: string;
  readonly osName: string;
  readonly osVersion: string;
  readonly tags: readonly string[];
}

/** The last host of a page; the next page starts after it. */
export interface ListedHostCursor {
  readonly displayName: string;
  readonly id: string;
}

/** Of one copy of the fleet; each takes half a megabyte of a fleet of 100,000. */
const keptSelections = 4;

/**
 * The sets and kernels of the hosts of a scope at one moment: an answer contains no other host. Taken before sets are looked up in the database, so that every set of
 * a host is found there.
 */
export class HostsAtSets {
  readonly columns: HostColumns;
  /** By position in `columns`; 0 if a host has none. */
  readonly setIds: Int32Array;
  readonly kernelIds: Int32Array;
  /** Copied too: an answer must not combine older matches with a newer feed or a host's newer report. */
  readonly releaseIds: Int32Array;
  readonly gaps: Int32Array;
  readonly runsUnknownKernel: Uint8Array;
  readonly releases: HostColumns['releases'];
  /** For findSets. */
  readonly setMemory: SetMemory;
  /** In the scope, and approved then, ascending: a host that is approved later is in no answer that began before. */
  private readonly counted: Int32Array;
  /** Those of `counted` that exist at a revision of the columns. */
  private present: { readonly revision: number; readonly positions: Int32Array } | null = null;
  private readonly selections = new LRUCache<string, SelectedHosts>({ max: keptSelections });

  constructor(columns: HostColumns, scope: HostScope, setMemory: SetMemory) {
    this.columns = columns;
    this.setMemory = setMemory;
    this.setIds = columns.numbers.setId.slice(0, columns.size);
    this.kernelIds = columns.numbers.kernelId.slice(0, columns.size);
    this.releaseIds = columns.numbers.releaseId.slice(0, columns.size);
    this.gaps = columns.numbers.gaps.slice(0, columns.size);
    this.runsUnknownKernel = columns.flags.runsUnknownKernel.slice(0, columns.size);
    this.releases = columns.releases;
    this.counted = approvedIn(columns, scope);
  }

  /** The positions of the hosts of the scope that were approved then and still exist, ascending. */
  positions(): Int32Array {
    const { hosts, revision, flags } = this.columns;
    if (this.present?.revision === revision) return this.present.positions;
    const positions = new Int32Array(Math.min(hosts, this.counted.length));
    let count = 0;
    for (const position of this.counted) if (flags.isPresent[position] === 1) positions[count++] = position;
    this.present = { revision, positions: positions.subarray(0, count) };
    return this.present.positions;
  }

  /** The approved hosts of the scope at whose positions `wants` holds. */
  select(wants: (position: number) => boolean): SelectedHosts {
    return SelectedHosts.at(this.columns, this.positions().filter(wants));
  }

  /**
   * The same, kept for the next page.
   * @param key equal for equal conditions, of which `makeWants` makes one
   */
  selectOften(key: string, makeWants: () => (position: number) => boolean): SelectedHosts {
    const keyNow = `${this.columns.revision} ${key}`;
    const known = this.selections.get(keyNow);
    if (known !== undefined) return known;
    const selected = this.select(makeWants());
    this.selections.set(keyNow, selected);
    return selected;
  }

  /** The OS family of the hosts of each release; of no host: no entry. */
  osFamilies(releaseIds: Iterable<number>): ReadonlyMap<number, OsFamily> {
    const { columns } = this;
    const wanted = new Set(releaseIds);
    const isWanted = new Uint8Array(Math.max(0, ...wanted) + 1);
    for (const id of wanted) isWanted[id] = 1;
    const families = new Map<number, OsFamily>();
    for (let position = 0; position < this.releaseIds.length && families.size < wanted.size; position += 1) {
      const id = this.releaseIds[position] ?? 0;
      if (isWanted[id] !== 1 || columns.flags.isPresent[position] !== 1) continue;
      isWanted[id] = 0;
      families.set(id, columns.wordOf('osFamily', position) as OsFamily); // The column has words of this list.
    }
    return families;
  }

  /** A page of selected hosts, by display name. */
  page(
    selected: SelectedHosts,
    { limit, after }: { readonly limit: number; readonly after: ListedHostCursor | null },
  ): readonly (ListedHost & { readonly position: number })[] {
    const { columns } = this;
    const order = selected.byName();
    const first = after === null ? 0 : firstBehind(columns, order, after);
    return [...order.subarray(first, first + limit)].map((position) => ({
      position,
      ...listedHost(columns, position),
    }));
  }
}

/** The first place of an order by name behind a cursor. */
function firstBehind(
  { displayNames, ids }: HostColumns,
  order: Int32Array,
  { displayName, id }: ListedHostCursor,
): number {
  const isBehind = (position: number): boolean => {
    const own = displayNames[position] ?? '';
    return own === displayName ? (ids[position] ?? '') > id : own > displayName;
  };
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBehind(order[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function approvedIn(columns: HostColumns, scope: HostScope): Int32Array {
  const approved = columns.words.approvalStatus.indexOf('approved');
  const codes = columns.codes.approvalStatus;
  const isSeen = columns.seenIn(scope);
  const positions = new Int32Array(columns.size);
  let count = 0;
  for (let position = 0; position < columns.size; position += 1) {
    if (codes[position] !== approved || !isSeen(position)) continue;
    positions[count] = position;
    count += 1;
  }
  return positions.slice(0, count);
}

/** The newest copy of a memory's columns. */
interface TakenCopy {
  readonly revision: number;
  readonly scope: string;
  readonly fleet: HostsAtSets;
}

const taken = new WeakMap<HostColumns, TakenCopy>();

/** The hosts of a scope now. Questions share a copy until a host changes. */
export async function hostsAtSets(memory: HostMemory, scope: HostScope): Promise<HostsAtSets> {
  const columns = await memory.current();
  const key = scopeKey(scope);
  const { revision } = columns;
  const known = taken.get(columns);
  if (known?.revision === revision && known.scope === key) return known.fleet;
  const fleet = new HostsAtSets(columns, scope, memory.setMemory);
  taken.set(columns, { revision, scope: key, fleet });
  return fleet;
}

function listedHost(columns: HostColumns, position: number): ListedHost {
  return {
    id: columns.ids[position] as HostId, // A position of a host.
    displayName: columns.displayNames[position] ?? '',
    hostname: columns.hostnames[position] ?? '',
    osName: columns.texts.osName[position] ?? '',
    osVersion: columns.texts.osVersion[position] ?? '',
    tags: columns.tagsOf(position),
  };
}
