import { readHostScripts } from '../src/scripts/host-scripts.ts';
import { apiPerFile } from './api-under-test.ts';
import { type Fleet, fleetOf, newMachineId } from './fleet.ts';
import { sampleReport } from './sample-report.ts';

const dayMs = 24 * 3_600_000;

const api = apiPerFile();
let fleet: Fleet;

beforeAll(async () => {
  fleet = fleetOf(api);
});

describe('a manual host', () => {
  it('is approved from the start, and everything about it is unknown', async () => {
    const json = { display_name: 'Printer', hostname: 'printer.example.org' };
    const answer = await api.admin.post('/api/v1/hosts/manual', { json });
    expect(answer.body).toMatchObject({
      ...json,
      onboarding_mode: 'manual',
      approval_status: 'approved',
      status: 'new',
      overall_action: 'unknown',
      os_family: 'unknown',
      last_seen_at: answer.body.created_at,
    });
    expect(await fleet.hostOf(answer.body.id)).toMatchObject({ machine_id: '', ssh: null });
  });

  it.each([
    [{}, '/display_name'],
    [{ display_name: '', hostname: 'x' }, '/display_name'],
    [{ display_name: 'x', hostname: 'a'.repeat(254) }, '/hostname'],
    [{ display_name: 'x', hostname: 'x', ssh_user: 'root' }, '/ssh_user'],
  ])('is not made of %j', async (json, pointer) => {
    const answer = await api.admin.post('/api/v1/hosts/manual', { json });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('is stale after the configured time without a report', async () => {
    const id = await fleet.addHost();
    expect((await fleet.sendAndWait(id, sampleReport({ machineId: newMachineId() }))).status).toBe(200);
    const statusAfterDays = async (days: number) => {
      await api.database.db.prisma.hostContact.update({
        where: { hostId: id },
        data: { lastConfirmedAt: new Date(Date.now() - days * dayMs) },
      });
      return (await fleet.hostOf(id)).status;
    };
    expect([await statusAfterDays(29.9), await statusAfterDays(30.1)]).toEqual(['active', 'stale']);
  });
});

describe('the scripts for hosts', () => {
  it.each(['apt', 'rpm'] as const)('of %s is the built one, as a download', async (family) => {
    const answer = await api.admin.get(`/api/v1/hosts/manual/script?os_family=${family}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'text/x-shellscript; charset=utf-8',
    ]);
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="collector-${family}.sh"`);
    expect(Buffer.from(answer.text).equals(api.context.scripts.collectors[family])).toBe(true);
  });

  it.each(['', '?os_family=', '?os_family=APT', '?os_family=deb', '?os_family=apt&os_family=rpm'])(
    'are not given for %j',
    async (query) => {
      expect((await api.admin.get(`/api/v1/hosts/manual/script${query}`)).status).toBe(422);
    },
  );

  it('that were not built are an error with instructions', async () => {
    await expect(readHostScripts('/nowhere/dist')).rejects.toThrow(
      '/nowhere/dist/collector-apt.sh cannot be read. Build it with: npm run build -w @plimsoll/agent',
    );
  });

  it('include the agent, which needs no credential', async () => {
    const answer = await api.get('/api/v1/agent/script');
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'text/x-shellscript; charset=utf-8',
    ]);
    expect(answer.text).toContain(`# plimsoll-agent, version ${api.context.scripts.agentVersion}\n`);
    expect(Buffer.from(answer.text).equals(api.context.scripts.agent)).toBe(true);
  });
});
