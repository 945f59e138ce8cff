import { createHostCounter, matchUploads } from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import { uploadBytes } from './agent-uploads.ts';
import { type ApiUnderTest, type EnrolledHost, setUp, startApi } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { defaultLag, importOsv, parseOnly } from './pipeline.ts';
import { sampleSnapshot } from './sample-snapshot.ts';

let api: ApiUnderTest;
let token: string;
let host: EnrolledHost;
beforeAll(async () => {
  api = await startApi();
  token = await setUp(api);
  await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'curl', { fixed: '5' })]);
  host = await reportingHost(api, token, 'bookworm', { packages: [debianPackage('curl', '9')] });
});
afterAll(() => api.stop());

/** Uploads a snapshot in which curl has a version. */
async function report(version: string): Promise<UploadId> {
  const snapshot = sampleSnapshot({ packages: [debianPackage('curl', version)], packageCount: 1 });
  const answer = await uploadBytes(api, host, snapshot);
  expect(answer.status).toBe(202);
  return answer.body.snapshot_id;
}

const match = (ids: readonly UploadId[]) =>
  matchUploads(api.database.as('advisory-worker'), ids, { counter: createHostCounter(), lag: defaultLag });

it('the findings of a report are known that a newer one overtook before it was matched', async () => {
  const early = await report('1');
  await parseOnly(api.database, [early]);
  const late = await report('8');
  await parseOnly(api.database, [late]);
  expect(await match([late])).toEqual({ matched: [late], superseded: [early] });
  const { rows } = await api.database.db.pool.query<{ at: Date }>(
    'SELECT received_at AS at FROM snapshots WHERE id = $1',
    [early],
  );
  const at = encodeURIComponent(rows[0]?.at.toISOString() ?? '');
  const then = await api.get(`/api/v1/hosts/${host.id}/packages/vulnerable?at=${at}`, { token });
  expect(then.body).toMatchObject([{ name: 'curl', installed_version: '1' }]);
});
