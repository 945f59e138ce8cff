import { sendSnapshot, uploadBytes } from './agent-uploads.ts';
import { apiPerFile, enrol } from './api-under-test.ts';
import { debianPackage, debianRecord } from './debian-fleet.ts';
import { importOsv, parseAndMatch } from './pipeline.ts';
import { protobufTime, sampleSnapshot } from './sample-snapshot.ts';

const api = apiPerFile();
beforeAll(() =>
  importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'curl', { fixed: '5', urgency: 'high' })]),
);

const years = (n: number) => new Date(Date.now() + n * 365 * 86_400_000);
/** A report by a host's clock; its repositories' times are by the same clock. */
const reportOf = (version: string, at: Date) => ({
  packages: [debianPackage('curl', version)],
  packageCount: 1,
  collectedAt: protobufTime(at),
  observed: {
    bootedAt: protobufTime(new Date(at.getTime() - 60_000)),
    refreshed: [{ repositoryId: 'main', at: protobufTime(at) }],
  },
});

// The first report is by a wrong clock, the later ones by the mended one.
it.each([
  { clock: 'ten years behind', at: years(-10), status: 202 },
  { clock: 'at the end of a leap day', at: new Date('2024-02-29T23:59:59.999Z'), status: 202 },
  { clock: 'an hour ahead', at: new Date(Date.now() + 3_600_000), status: 202 },
  { clock: 'ten years ahead', at: years(10), status: 422 },
])(
  'a host whose clock was $clock is judged by its reports, not by its clock, and not held',
  async ({ at, status }) => {
    const host = await enrol(api, { hostname: `clock-${at.getTime()}`, autoApprove: true });
    const get = async (path: string) => (await api.admin.get(`/api/v1/hosts/${host.id}${path}`)).body;
    const shown = () => get('');
    const wrong = await uploadBytes(api, host, sampleSnapshot(reportOf('4', at)));
    expect(wrong.status).toBe(status);
    const isAccepted = status === 202;
    if (isAccepted) await parseAndMatch(api.database, [wrong.body.snapshot_id]);
    else expect(wrong.body.errors).toEqual([expect.objectContaining({ pointer: '/collected_at' })]);
    expect(await shown()).toMatchObject(
      isAccepted
        ? { status: 'active', important_count: 1, snapshot_collected_at: at.toISOString() }
        : { status: 'new', important_count: 0, snapshot_collected_at: null },
    );
    expect(Date.now() - Date.parse((await shown()).last_seen_at)).toBeLessThan(3_600_000);
    // The same content by the mended clock is the same report, if there is one.
    const mended = await uploadBytes(api, host, sampleSnapshot(reportOf('4', new Date())));
    expect(mended.body).toMatchObject(
      isAccepted ? { status: 'unchanged', snapshot_id: wrong.body.snapshot_id } : { status: 'queued' },
    );
    await parseAndMatch(api.database, [mended.body.snapshot_id]);
    expect(await shown()).toMatchObject({ status: 'active', important_count: 1 });
    // Later reports follow in the order of their acceptance, also one of a clock that is wrong again.
    for (const [version, time, count] of [
      ['5', new Date(), 0],
      ['3', years(-10), 1],
      ['6', new Date(), 0],
    ] as const) {
      await sendSnapshot(api, host, reportOf(version, time));
      expect(await shown()).toMatchObject({ status: 'active', important_count: count });
      expect((await shown()).snapshot_collected_at).toBe(time.toISOString());
    }
    const uploads = (await get('/uploads')) as readonly { state: string }[];
    expect(uploads.map(({ state }) => state)).toEqual(['matched', 'matched', 'matched', 'matched']);
  },
);
