import type { ServerEvent, ServerEventName } from '@plimsoll/contract';
import type { QueryClient } from '@tanstack/react-query';
import { isBelow } from './queries.ts';

/** What is read of one host: everything, or what lies below some paths. */
const wholeHost = ['/hosts/{id}'];
const hostUploads = ['/hosts/{id}/uploads', '/hosts/{id}/reports'];
const hostPulls = ['/hosts/{id}/pull-jobs'];
/** What hosts are counted and listed in; `fleet` events say when, no more often than every few seconds. */
const lists = ['/fleet', '/advisories', '/cves', '/packages', '/package-names', '/repositories'];

/**
 * Marks as old what an event says has changed, so that what is shown of it is read again: of single hosts only what was
 * read of these, lists only when the fleet's counts may have changed.
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
      renew(client, ['/feeds']);
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

/** Marks as old whatever events of a name could have told of. */
function renewAllOf(client: QueryClient, name: ServerEventName): void {
  switch (name) {
    case 'host':
    case 'pull_job':
    case 'upload':
      renew(client, [...wholeHost, ...lists, '/registration-tokens']);
      renewHostList(client);
      return;
    case 'feed':
      renew(client, ['/feeds', ...lists]);
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
