import { mostPlannedHosts } from '@plimsoll/contract';
import type { HostFilters, HostStore, ListedOverview } from '@plimsoll/db';
import { AppError, compareText, type HostScope } from '@plimsoll/model';
import { hostFiltersOf } from '../hosts/host-selection.ts';
import type { Handler } from '../operation-request.ts';

/** Which hosts to plan. */
export type Selection = Pick<Parameters<Handler<'savePlan'>>[0]['body'], 'hosts' | 'tags' | 'filter'>;

/** Hosts by display name, and the requested ids that no host of the scope has. */
export interface SelectedHosts {
  readonly hosts: readonly ListedOverview[];
  readonly unknown: readonly string[];
}

/** The hosts of a selection. Throws `validation_failed` if there are more than a plan can have, or none at all. */
export async function selectHosts(
  store: HostStore,
  scope: HostScope,
  { hosts: ids, tags, filter }: Selection,
): Promise<SelectedHosts> {
  const found = new Map<string, ListedOverview>();
  const unknown: string[] = [];
  if (ids !== undefined) {
    for (const id of ids) {
      const host = await store.find(scope, id);
      if (host === null) unknown.push(id);
      else found.set(id, host);
    }
  }
  const lists: HostFilters[] = [
    ...(tags ?? []).map((tag) => ({ tag })),
    ...(filter === undefined ? [] : [hostFiltersOf(filter)]),
  ];
  for (const filters of lists) {
    const { total, pages } = await store.stream(scope, filters, { column: 'displayName', descending: false });
    if (total > mostPlannedHosts) throw tooMany(total);
    for await (const page of pages) for (const host of page) found.set(host.id, host);
  }
  if (found.size > mostPlannedHosts) throw tooMany(found.size);
  const hosts = [...found.values()].sort(
    (a, b) => compareText(a.displayName, b.displayName) || compareText(a.id, b.id),
  );
  return { hosts, unknown };
}

function tooMany(hosts: number): AppError {
  return new AppError(
    'validation_failed',
    `The selection has ${hosts} hosts; a plan can have ${mostPlannedHosts}. Select fewer, by tag or filter.`,
  );
}

/** A selection in words, for the list of saved plans. */
export function selectionWords({ hosts, tags, filter }: Selection): string {
  if (hosts !== undefined) return hosts.length === 1 ? '1 chosen host' : `${hosts.length} chosen hosts`;
  if (tags !== undefined) return `tags: ${tags.join(', ')}`;
  const filters = Object.entries(filter ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  return filters.length === 0 ? 'all hosts' : `filter: ${filters.join(', ')}`;
}
