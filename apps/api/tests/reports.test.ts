import zlib from 'node:zlib';
import { encodeSnapshot, parseReport } from '@plimsoll/reports';
import { waitFor } from '@plimsoll/testing';
import { apiPerFile, enrol } from './api-under-test.ts';
import { type Fleet, fleetOf, newMachineId } from './fleet.ts';
import { parseAndMatch } from './pipeline.ts';
import { sampleReport } from './sample-report.ts';
import { protobufTime, sampleSnapshot } from './sample-snapshot.ts';

const minuteMs = 60_000;
const someId = '019a0000-0000-7000-8000-000000000000';

const api = apiPerFile();
let fleet: Fleet;

beforeAll(async () => {
  fleet = fleetOf(api);
});

describe('a report', () => {
  it('is stored and queued before the answer, and its status can be followed to the end', async () => {
    const id = await fleet.addHost();
    const answer = await fleet.send(id, sampleReport({ machineId: newMachineId() }));
    expect([answer.status, answer.body.status]).toEqual([202, 'queued']);
    const reportId = answer.body.report_id;
    expect(await fleet.reportOf(id, reportId)).toEqual({
      report_id: reportId,
      status: 'queued',
      snapshot_id: null,
      errors: [],
    });
    await parseAndMatch(api.database, [reportId]);
    expect(await fleet.reportOf(id, reportId)).toMatchObject({ status: 'done', snapshot_id: reportId });
    expect(await fleet.uploadsOf(id)).toMatchObject([{ id: reportId, door: 'manual', state: 'matched' }]);
  });

  it("fills in the host's data, and is answered with its counts if the client waits", async () => {
    const id = await fleet.addHost();
    const machineId = newMachineId();
    const answer = await fleet.sendAndWait(id, sampleReport({ machineId }));
    expect([answer.status, answer.body.status]).toEqual([200, 'done']);
    expect(answer.body.snapshot_id).toBe(answer.body.report_id);
    const host = await fleet.hostOf(id);
    for (const [name, value] of Object.entries(answer.body.counts))
      expect([name, value]).toEqual([name, host[name]]);
    expect(answer.body.counts.available_updates).toBeGreaterThan(0);
    expect(host).toMatchObject({
      status: 'active',
      os_family: 'apt',
      os_name: 'debian',
      os_major: 12,
      os_version: '12.11',
      architecture: 'amd64',
      machine_id: machineId,
      machine_id_conflict_with: null,
      agent_version: '',
    });
    // A user chose its name, and its report does not rename it.
    expect(host.hostname).toMatch(/^printer-\d+\.example\.org$/);
    expect(Date.parse(host.last_seen_at)).toBeGreaterThan(Date.parse(host.created_at));
  });

  it('is stored as the encoding of its parsed snapshot', async () => {
    const id = await fleet.addHost();
    const report = sampleReport({ machineId: newMachineId() });
    await fleet.sendAndWait(id, report);
    const { body } = await api.admin.get(`/api/v1/hosts/${id}/snapshot`);
    const parsed = parseReport(report, { receivedAt: new Date(body.received_at) });
    if (parsed.kind !== 'snapshot') throw new Error('the sample is no report');
    expect(body.source).toBe('manual');
    expect(Buffer.from(body.payload, 'base64').equals(encodeSnapshot(parsed.snapshot))).toBe(true);
  });

  it.each([
    [{ 'Content-Type': 'application/x-protobuf' }, 415],
    [{ 'Content-Type': 'application/json' }, 415],
    [{ 'Content-Type': 'text/plain; charset=utf-16' }, 415],
    [{ 'Content-Encoding': 'zstd' }, 415],
    [{ 'Content-Encoding': 'gzip' }, 400],
  ])('is refused with %j', async (headers, status) => {
    const id = await fleet.addHost();
    expect((await fleet.send(id, sampleReport(), { headers })).status).toBe(status);
  });

  it('of more than 32 MiB, decompressed, is refused', async () => {
    const id = await fleet.addHost();
    const bomb = zlib.gzipSync(Buffer.alloc(33 * 1024 * 1024, ' '));
    const answer = await fleet.send(id, bomb, { headers: { 'Content-Encoding': 'gzip' } });
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('that is broken is 422 with the line if the client waits, and rejected in its status', async () => {
    const id = await fleet.addHost();
    const before = await fleet.hostOf(id);
    const broken = sampleReport({ machineId: newMachineId() }).replace(
      '\n@dpkg\n',
      '\n@dpkg\nwhat is this\n',
    );
    const line = broken.split('\n').indexOf('what is this') + 1;
    const answer = await fleet.sendAndWait(id, broken);
    expect([answer.status, answer.body.code]).toEqual([422, 'report_invalid']);
    expect(answer.body.errors).toContainEqual({
      pointer: `line ${line}`,
      detail: expect.stringContaining('begins with neither'),
    });
    const [upload] = await fleet.uploadsOf(id);
    expect(await fleet.reportOf(id, upload.id)).toEqual({
      report_id: upload.id,
      status: 'rejected',
      snapshot_id: null,
      errors: answer.body.errors,
    });
    // An invalid report is not a sign of life.
    expect(await fleet.hostOf(id)).toMatchObject({ status: 'new', last_seen_at: before.last_seen_at });
  });

  it.each([
    ['nothing', '', 'line 1'],
    ['a page of a proxy', '<!doctype html>\n<title>Sign in</title>\n', 'line 1'],
    ['a report that was cut off', sampleReport().split('\n').slice(0, 40).join('\n'), 'line 40'],
    [
      'one of tomorrow and a bit',
      sampleReport({ collectedAt: new Date(Date.now() + 25 * 60 * minuteMs) }),
      'line 3',
    ],
  ])('that is %s is rejected', async (_, report, pointer) => {
    const answer = await fleet.sendAndWait(await fleet.addHost(), report);
    expect([answer.status, answer.body.code]).toEqual([422, 'report_invalid']);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });

  it('that repeats the last one is that one, even with a later clock', async () => {
    const id = await fleet.addHost();
    const machineId = newMachineId();
    const first = await fleet.send(
      id,
      sampleReport({ machineId, collectedAt: new Date(Date.now() - minuteMs) }),
    );
    const again = await fleet.send(id, sampleReport({ machineId }));
    expect([again.status, again.body]).toEqual([
      202,
      { report_id: first.body.report_id, status: 'unchanged' },
    ]);
    await parseAndMatch(api.database, [first.body.report_id]);
    const waited = await fleet.send(id, sampleReport({ machineId }), { headers: { Prefer: 'wait=20' } });
    expect([waited.status, waited.body.report_id]).toEqual([200, first.body.report_id]);
    expect(await fleet.uploadsOf(id)).toHaveLength(1);
  });

  it('that repeats it with a clock a day ahead does not confirm it', async () => {
    const id = await fleet.addHost();
    const machineId = newMachineId();
    await fleet.sendAndWait(id, sampleReport({ machineId }));
    const collectedAt = new Date(Date.now() + 25 * 60 * minuteMs);
    expect((await fleet.sendAndWait(id, sampleReport({ machineId, collectedAt }))).body.code).toBe(
      'report_invalid',
    );
    expect((await fleet.send(id, sampleReport({ machineId }))).body.status).toBe('unchanged');
  });

  it('needs an operator, an existing host and a query without typing errors', async () => {
    const id = await fleet.addHost();
    expect((await fleet.send(someId, sampleReport())).status).toBe(404);
    expect((await fleet.send(id, sampleReport(), { query: '?forced=true' })).status).toBe(422);
    expect((await fleet.send(id, sampleReport(), { query: '?force=yes' })).status).toBe(422);
    const agent = await enrol(api, { hostname: 'nosy' });
    const asAgent = {
      token: agent.token,
      bytes: Buffer.from(sampleReport()),
      headers: { 'Content-Type': 'text/plain' },
    };
    expect((await api.post(`/api/v1/hosts/${id}/report`, asAgent)).status).toBe(401);
  });

  it('of one host is not found under another, and a structured upload is no report', async () => {
    const id = await fleet.addHost();
    const { body } = await fleet.send(id, sampleReport({ machineId: newMachineId() }));
    const path = `/api/v1/hosts/${await fleet.addHost()}/reports/${body.report_id}`;
    expect((await api.admin.get(path)).status).toBe(404);
    const agent = await enrol(api, { hostname: 'structured' });
    const upload = await fleet.byAgent(agent.token, sampleSnapshot());
    expect((await api.admin.get(`/api/v1/hosts/${agent.id}/reports/${upload}`)).status).toBe(404);
  });

  it('of a host that is deleted meanwhile ends in 404', async () => {
    const id = await fleet.addHost();
    const deletion = waitFor('the report to be there', async () => {
      const isThere = (await api.database.db.prisma.upload.count({ where: { hostId: id } })) > 0;
      return isThere && (await api.admin.delete(`/api/v1/hosts/${id}`)).status === 204;
    });
    const answer = await fleet.send(id, sampleReport({ machineId: newMachineId() }), {
      headers: { Prefer: 'wait=20' },
    });
    await deletion;
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });
});

describe('a report that does not fit its host', () => {
  it('is refused if it is from another machine, unless it is forced', async () => {
    const id = await fleet.addHost();
    const machineId = newMachineId();
    await fleet.sendAndWait(id, sampleReport({ machineId }));
    const other = sampleReport({ machineId: newMachineId() });
    const refused = await fleet.send(id, other);
    expect([refused.status, refused.body.code]).toEqual([409, 'machine_id_mismatch']);
    expect(await fleet.uploadsOf(id)).toHaveLength(1);
    expect((await fleet.sendAndWait(id, other, { query: '?force=true' })).status).toBe(200);
    expect((await fleet.hostOf(id)).machine_id).toBe(machineId);
  });

  it.each([
    ['has lines of another system', (report: string) => report.replaceAll('\n', '\r\n')],
    [
      'has a section whose name begins alike',
      (report: string) => report.replace('\n@platform\n', '\n@platform-more\n x\n@exit 0\n@platform\n'),
    ],
    ['ends behind its machine id', (report: string) => report.slice(0, report.indexOf('\n@kernel\n') + 9)],
  ])('is seen to be of another machine where it %s', async (_, change) => {
    const { id } = await enrol(api, { hostname: 'odd', machineId: newMachineId() });
    const answer = await fleet.send(id, change(sampleReport({ machineId: newMachineId() })));
    expect([answer.status, answer.body.code]).toEqual([409, 'machine_id_mismatch']);
  });

  it('is refused for every other mode of the host', async () => {
    const agent = await enrol(api, { hostname: 'by-agent', machineId: newMachineId() });
    expect((await fleet.send(agent.id, sampleReport({ machineId: newMachineId() }))).body.code).toBe(
      'machine_id_mismatch',
    );
  });

  it.each([
    ['names no machine', (report: string) => report.replace(/^ machine_id\t.*$/m, ' machine_id\t')],
    [
      'could not tell its machine',
      (report: string) => report.replace(/(\n@platform\n(?: .*\n)*)@exit 0/, '$1@exit 1'),
    ],
    [
      'prints a machine id elsewhere',
      (report: string) => report.replace('\n@dpkg\n', '\n@dpkg\n machine_id\tx\n'),
    ],
  ])('is not one that %s', async (_, change) => {
    const machineId = newMachineId();
    const { id } = await enrol(api, { hostname: 'unsure', machineId });
    expect((await fleet.send(id, change(sampleReport({ machineId })))).status).toBe(202);
  });

  it('is refused if it was collected before the current snapshot, unless it is forced', async () => {
    const id = await fleet.addHost();
    const machineId = newMachineId();
    await fleet.sendAndWait(id, sampleReport({ machineId }));
    const older = sampleReport({
      machineId,
      collectedAt: new Date(Date.now() - 10 * minuteMs),
      dpkgLine: 'ii \tolder\tall\t1.0\tolder\t1.0',
    });
    const refused = await fleet.send(id, older);
    expect([refused.status, refused.body.code]).toEqual([409, 'report_outdated']);
    expect((await fleet.sendAndWait(id, older, { query: '?force=1' })).status).toBe(200);
    const packages = await api.admin.get(`/api/v1/hosts/${id}/packages?q=older`);
    expect(packages.body).toHaveLength(1);
  });

  it('is not refused if it was collected in the same second as the current snapshot', async () => {
    const machineId = newMachineId();
    const agent = await enrol(api, { hostname: 'second', machineId });
    const second = Math.floor(Date.now() / 1000) * 1000;
    const snapshot = sampleSnapshot({ collectedAt: protobufTime(new Date(second + 900)) });
    await parseAndMatch(api.database, [await fleet.byAgent(agent.token, snapshot)]);
    expect(
      (await fleet.send(agent.id, sampleReport({ machineId, collectedAt: new Date(second) }))).status,
    ).toBe(202);
  });
});

describe('a machine id', () => {
  it('of another host is reported by both doors, and the first host is not changed', async () => {
    const machineId = newMachineId();
    const first = await enrol(api, { hostname: 'original', machineId });
    const clone = await fleet.addHost();
    expect((await fleet.sendAndWait(clone, sampleReport({ machineId }))).status).toBe(200);
    expect(await fleet.hostOf(clone)).toMatchObject({
      machine_id: machineId,
      machine_id_conflict_with: first.id,
    });
    expect((await fleet.hostOf(first.id)).machine_id_conflict_with).toBeNull();
    const second = await enrol(api, { hostname: 'second clone', machineId });
    expect((await fleet.hostOf(second.id)).machine_id_conflict_with).toBe(first.id);
  });

  it('of another host is recognised in any case and form', async () => {
    const machineId = newMachineId();
    const first = await enrol(api, { hostname: 'original', machineId });
    const shouted = await fleet.addHost();
    await fleet.sendAndWait(shouted, sampleReport({ machineId: machineId.toUpperCase() }));
    expect((await fleet.hostOf(shouted)).machine_id_conflict_with).toBe(first.id);
    const dashed = machineId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    expect((await fleet.send(first.id, sampleReport({ machineId: dashed }))).status).toBe(202);
  });

  it("that differs from the reporting host's is noted if another host has it", async () => {
    const victim = await enrol(api, { hostname: 'victim', machineId: newMachineId() });
    const { machine_id } = await fleet.hostOf(victim.id);
    const liar = await enrol(api, { hostname: 'liar', machineId: newMachineId() });
    const own = (await fleet.hostOf(liar.id)).machine_id;
    const report = sampleReport({ machineId: machine_id.toUpperCase() });
    const parsed = parseReport(report, { receivedAt: new Date() });
    if (parsed.kind !== 'snapshot') throw new Error(JSON.stringify(parsed.errors));
    const snapshot = encodeSnapshot(parsed.snapshot);
    await parseAndMatch(api.database, [await fleet.byAgent(liar.token, snapshot)]);
    expect(await fleet.hostOf(liar.id)).toMatchObject({
      machine_id: own,
      machine_id_conflict_with: victim.id,
      approval_status: 'approved',
    });
    expect((await fleet.hostOf(victim.id)).machine_id_conflict_with).toBeNull();
  });

  it('that two hosts get at the same moment is a conflict of one of them', async () => {
    const report = sampleReport({ machineId: newMachineId() });
    const ids = [await fleet.addHost(), await fleet.addHost(), await fleet.addHost()];
    const uploads = await Promise.all(ids.map(async (id) => (await fleet.send(id, report)).body.report_id));
    await Promise.all(uploads.map((upload) => parseAndMatch(api.database, [upload])));
    const conflicts = await Promise.all(
      ids.map(async (id) => (await fleet.hostOf(id)).machine_id_conflict_with),
    );
    expect(conflicts.filter((conflict) => conflict === null)).toHaveLength(1);
  });
});
