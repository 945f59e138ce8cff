import type { ServerEvent, ServerEventName } from '@plimsoll/contract';
import type { QueryClient } from '@tanstack/react-query';
import { isBelow } from './query-path.ts';

/** Query paths about one host: all of them, its uploads, its pulls. */
const wholeHost = ['/hosts/{id}'];
const hostUploads = ['/hosts/{id}/uploads', '/hosts/{id}/reports'];
const hostPulls = ['/hosts/{id}/pull-jobs'];
/** Query paths of lists and counts over hosts. `fleet` events invalidate them, at most once in a few seconds. */
const lists = [
  '/fleet',
  '/findings',
  '/waivers',
  '/groups',
  '/advisories',
  '/cves',
  '/packages',
  '/package-names',
  '/repositories',
  '/saved-plans/{id}/progress',
];

/**
 * Invalidates the queries whose data an event changed: about a host only those of the named hosts, lists only on a
 * `fleet` event.
 */
export function applyEvent(client: QueryClient, event: ServerEvent): void {
  switch (event.name) {
    case 'host': {
      const { created, changed, deleted } = event.data;
      renewHosts(client, wholeHost, [...created, ...changed, ...deleted]);
      if (created.length > 0) renew(client, ['/registration-tokens']);
      return;
    }
    case 'pull_job':
      renewHosts(client, [...hostPulls, ...hostUploads], event.data.pull_jobs.map(hostOf));
      return;
    case 'upload':
      renewHosts(client, hostUploads, event.data.uploads.map(hostOf));
      renewHosts(client, wholeHost, event.data.uploads.filter(isMatched).map(hostOf));
      return;
    case 'feed':
      renew(client, ['/feeds', '/policies/due-dates', '/fleet/summary']);
      return;
    case 'fleet':
      renew(client, lists);
      renewHostList(client);
      return;
    case 'resync':
      for (const name of event.data.events) renewAllOf(client, name);
      return;
    default:
      event satisfies never;
  }
}

/** Invalidates every query that an event of this name can change. */
function renewAllOf(client: QueryClient, name: ServerEventName): void {
  switch (name) {
    case 'host':
    case 'pull_job':
    case 'upload':
      renew(client, [...wholeHost, ...lists, '/registration-tokens']);
      renewHostList(client);
      return;
    case 'feed':
      renew(client, ['/feeds', '/policies/due-dates', ...lists]);
      return;
    case 'fleet':
      renew(client, lists);
      renewHostList(client);
      return;
    case 'resync':
      void client.invalidateQueries();
      return;
    default:
      name satisfies never;
  }
}

function renew(client: QueryClient, paths: readonly string[]): void {
  void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isBelow(path, paths) });
}

function renewHostList(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => path === '/hosts' });
}

function renewHosts(client: QueryClient, paths: readonly string[], ids: readonly string[]): void {
  if (ids.length === 0) return;
  const changed = new Set(ids);
  void client.invalidateQueries({
    predicate: ({ queryKey: [path, request] }) => {
      const id = (request as { readonly params?: { readonly id?: string } } | undefined)?.params?.id; // an ApiQueryKey
      return isBelow(path, paths) && id !== undefined && changed.has(id);
    },
  });
}

function hostOf({ host_id }: { readonly host_id: string }): string {
  return host_id;
}

function isMatched({ state }: { readonly state: string }): boolean {
  return state === 'matched';
}
