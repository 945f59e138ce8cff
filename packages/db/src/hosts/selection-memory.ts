import { type HostScope, scopeKey } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { HostColumns } from './host-columns.ts';
import type { HostFilters } from './query.ts';
import { selectHosts } from './select-hosts.ts';
import type { SelectedHosts } from './selected-hosts.ts';

/** Bytes of all kept selections: eight of all hosts of a fleet of 100,000. */
const keptBytes = 8_000_000;
/** A selected host takes its place in an order. */
const bytesPerHost = 4;
/** Each position has a mark, and a place in the order of all hosts, which can be an older one. */
const bytesPerPosition = 5;

/**
 * The last selections of hosts, until a host changes in anything but its times: a list asks for the same one for each of its pages, and
 * again while it is open.
 */
export class SelectionMemory {
  private readonly kept = new LRUCache<string, SelectedHosts>({ maxSize: keptBytes });
  /** What the kept ones are of. */
  private columns: HostColumns | null = null;
  private revision = 0;

  /** As selectHosts. */
  select(columns: HostColumns, scope: HostScope, filters: HostFilters): SelectedHosts {
    if (this.columns !== columns || this.revision !== columns.revision) this.kept.clear();
    this.columns = columns;
    this.revision = columns.revision;
    // Actions name hosts, each time others.
    if (filters.ids !== undefined || filters.and?.ids !== undefined)
      return selectHosts(columns, scope, filters);
    const key = JSON.stringify([scopeKey(scope), filters]);
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const selected = selectHosts(columns, scope, filters);
    this.kept.set(key, selected, {
      size: 1 + bytesPerPosition * columns.size + bytesPerHost * selected.total,
    });
    return selected;
  }
}
