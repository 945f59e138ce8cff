import type { HostId, HostScope, OsFamily, PackageVersionId } from '@plimsoll/model';
import type { HostColumns } from '../hosts/host-columns.ts';
import { pageOfHosts } from '../hosts/select-hosts.ts';
import type { SetTail } from '../interning/set-tail.ts';

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
  readonly releases: HostColumns['releases'];
  /** For findSets. */
  readonly setTail: SetTail;
  /** In the scope, and approved then: a host that is approved later is in no answer that began before. */
  private readonly isCounted: Uint8Array;

  constructor(columns: HostColumns, scope: HostScope, setTail: SetTail) {
    this.columns = columns;
    this.setTail = setTail;
    this.setIds = columns.numbers.setId.slice(0, columns.size);
    this.kernelIds = columns.numbers.kernelId.slice(0, columns.size);
    this.releaseIds = columns.numbers.releaseId.slice(0, columns.size);
    this.gaps = columns.numbers.gaps.slice(0, columns.size);
    this.releases = columns.releases;
    const approved = columns.words.approvalStatus.indexOf('approved');
    const isSeen = columns.seenIn(scope);
    const codes = columns.codes.approvalStatus;
    this.isCounted = new Uint8Array(columns.size);
    for (let position = 0; position < columns.size; position += 1)
      if (codes[position] === approved && isSeen(position)) this.isCounted[position] = 1;
  }

  /** Calls `take` for each host of the scope that was approved then and still exists. */
  each(take: (position: number, setId: number, kernelId: PackageVersionId) => void): void {
    const { isPresent } = this.columns.flags;
    for (let position = 0; position < this.setIds.length; position += 1) {
      if (isPresent[position] !== 1 || this.isCounted[position] !== 1) continue;
      take(
        position,
        this.setIds[position] ?? 0,
        (this.kernelIds[position] ?? 0) as PackageVersionId, // 0 is never an id.
      );
    }
  }

  /** The approved hosts of the scope for which `wants` holds. */
  select(wants: (position: number, setId: number, kernelId: PackageVersionId) => boolean): SelectedAtSets {
    const selected = new Uint8Array(this.setIds.length);
    let total = 0;
    this.each((position, setId, kernelId) => {
      if (!wants(position, setId, kernelId)) return;
      selected[position] = 1;
      total += 1;
    });
    return { total, has: (position) => selected[position] === 1 };
  }

  /** The OS family of the hosts of each release; of no host: no entry. */
  osFamilies(releaseIds: Iterable<number>): ReadonlyMap<number, OsFamily> {
    const wanted = new Set(releaseIds);
    const families = new Map<number, OsFamily>();
    const { columns } = this;
    for (let position = 0; position < this.releaseIds.length && families.size < wanted.size; position += 1) {
      const id = this.releaseIds[position] ?? 0;
      if (columns.flags.isPresent[position] !== 1 || families.has(id) || !wanted.has(id)) continue;
      families.set(id, columns.wordOf('osFamily', position) as OsFamily); // The column has words of this list.
    }
    return families;
  }

  /** A page of selected hosts, by display name. */
  page(
    selected: SelectedAtSets,
    { limit, after }: { readonly limit: number; readonly after: ListedHostCursor | null },
  ): readonly (ListedHost & { readonly position: number })[] {
    const { columns } = this;
    const cursor = after === null ? null : { value: after.displayName, id: after.id };
    const sort = { column: 'displayName', descending: false } as const;
    return pageOfHosts(columns, selected, { sort, limit, after: cursor, offset: 0 }).map((position) => ({
      position,
      ...listedHost(columns, position),
    }));
  }
}

/** Some approved hosts, by position. */
export interface SelectedAtSets {
  readonly total: number;
  has(position: number): boolean;
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
