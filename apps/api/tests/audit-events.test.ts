import { apiPerFile } from './api-under-test.ts';
import { readPages, totalsOf } from './checked-client.ts';
import { sshFleetOf } from './ssh-fleet.ts';

const api = apiPerFile();
let hostId: string;

const events = 7;

beforeAll(async () => {
  hostId = await sshFleetOf(api).add();
  for (let n = 0; n < events; n += 1) {
    const fingerprint = `SHA256:${n}${'A'.repeat(42)}`;
    const path = `/api/v1/hosts/${hostId}/ssh/accept-host-key`;
    expect((await api.admin.post(path, { json: { fingerprint } })).status).toBe(200);
  }
});

interface Event {
  readonly id: string;
  readonly details: { readonly fingerprint: string };
}

const keys = 'action=ssh.host_key';
const list = (query = `?${keys}`) => api.admin.get(`/api/v1/audit-events${query}`);

it('are listed newest first', async () => {
  const { body, headers } = await list();
  expect(body.map(({ details }: Event) => details.fingerprint[7])).toEqual([
    '6',
    '5',
    '4',
    '3',
    '2',
    '1',
    '0',
  ]);
  expect([headers['x-total-count'], headers['link']]).toEqual([String(events), undefined]);
});

it.each([1, 3, 7])('have the same order in pages of %d as in one answer', async (limit) => {
  const pages = await readPages(api.admin, `/api/v1/audit-events?${keys}&limit=${limit}`);
  for (const { body } of pages) expect(body.length).toBeLessThanOrEqual(limit);
  expect(totalsOf(pages)).toEqual([String(events)]);
  const found = pages.flatMap(({ body }) => body);
  expect(found).toEqual((await list()).body);
});

it.each([
  ['?action=Nobody!', '/action'],
  ['?from=yesterday', '/from'],
])('are not given for %s', async (query, pointer) => {
  const { status, body } = await list(query);
  expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
});

it('outlive their host and keep its name', async () => {
  await api.admin.delete(`/api/v1/hosts/${hostId}`);
  expect((await list(`?${keys}&limit=1`)).body).toEqual([
    expect.objectContaining({ host_id: hostId, host_name: 'Web 1', target_id: hostId, target_name: 'Web 1' }),
  ]);
});
