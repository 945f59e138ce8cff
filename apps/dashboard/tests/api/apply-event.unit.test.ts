import type { ServerEvent } from '@plimsoll/contract';
import { QueryClient } from '@tanstack/react-query';
import { applyEvent } from '../../src/api/apply-event.ts';

const one = { params: { id: 'h1' } };
const other = { params: { id: 'h2' } };
const keys = [
  ['/hosts', {}],
  ['/hosts/{id}', one],
  ['/hosts/{id}/plan', one],
  ['/hosts/{id}/uploads', one],
  ['/hosts/{id}/pull-jobs', one],
  ['/hosts/{id}', other],
  ['/hosts/{id}/uploads', other],
  ['/fleet/summary', {}],
  ['/advisories', {}],
  ['/feeds', {}],
  ['/registration-tokens', {}],
  ['/users', {}],
] as const;

/** The queries that an event marks as old: `/hosts/{id} h1`. */
function renewedBy(event: ServerEvent): readonly string[] {
  const client = new QueryClient();
  for (const key of keys) client.setQueryData(key, 'read');
  applyEvent(client, event);
  const renewed = keys.filter((key) => client.getQueryState(key)?.isInvalidated === true);
  client.clear();
  return renewed.map(([path, request]) => ('params' in request ? `${path} ${request.params.id}` : path));
}

const noHosts = { created: [], changed: [], deleted: [] };
const lists = ['/hosts', '/fleet/summary', '/advisories'];
const hostOne = [
  '/hosts/{id} h1',
  '/hosts/{id}/plan h1',
  '/hosts/{id}/uploads h1',
  '/hosts/{id}/pull-jobs h1',
];

describe('an event of the server', () => {
  it('renews everything about a changed host, and nothing about another', () => {
    expect(renewedBy({ name: 'host', data: { ...noHosts, changed: ['h1'] } })).toEqual(hostOne);
  });

  it('renews the registration tokens when a host enrols', () => {
    expect(renewedBy({ name: 'host', data: { ...noHosts, created: ['h3'] } })).toEqual([
      '/registration-tokens',
    ]);
  });

  it('renews the pulls and uploads of a pulled host, not its findings', () => {
    const job = { id: 'j1', host_id: 'h1', status: 'running' } as const;
    expect(renewedBy({ name: 'pull_job', data: { pull_jobs: [job] } })).toEqual([
      '/hosts/{id}/uploads h1',
      '/hosts/{id}/pull-jobs h1',
    ]);
  });

  it('renews the whole host once an upload is matched, before that only its uploads', () => {
    const upload = { id: 'u1', host_id: 'h1' } as const;
    expect(renewedBy({ name: 'upload', data: { uploads: [{ ...upload, state: 'parsed' }] } })).toEqual([
      '/hosts/{id}/uploads h1',
    ]);
    expect(renewedBy({ name: 'upload', data: { uploads: [{ ...upload, state: 'matched' }] } })).toEqual(
      hostOne,
    );
  });

  it('renews the list of hosts and the counts on a fleet event, no single host', () => {
    expect(renewedBy({ name: 'fleet', data: {} } as ServerEvent)).toEqual(lists);
  });

  it('renews the feeds, and the summary, whose overdue numbers can become lower bounds, on a feed event', () => {
    expect(renewedBy({ name: 'feed', data: {} } as ServerEvent)).toEqual(['/fleet/summary', '/feeds']);
  });

  it('renews everything that missed events can have changed', () => {
    const hostQueries = keys.map(([path, request]) =>
      'params' in request ? `${path} ${request.params.id}` : path,
    );
    const resync = (...events: ('host' | 'feed' | 'resync')[]) =>
      renewedBy({ name: 'resync', data: { events } } as ServerEvent);
    expect(resync('host')).toEqual(hostQueries.filter((name) => name !== '/feeds' && name !== '/users'));
    expect(resync('feed')).toEqual(['/fleet/summary', '/advisories', '/feeds']);
    expect(resync('resync')).toEqual(hostQueries);
  });
});
