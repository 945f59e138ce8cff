import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { create, toBinary } from '@bufbuild/protobuf';
import type { Snapshot } from '@plimsoll/model';
import { SnapshotSchema } from '@plimsoll/proto';
import { encodeSnapshot, parseReport } from '@plimsoll/reports';
import { apiPerFile, enrol } from './api-under-test.ts';
import { type Fleet, fleetOf, newMachineId } from './fleet.ts';
import { importOsv, parseAndMatch } from './pipeline.ts';
import { sampleReport } from './sample-report.ts';
import { protobufTime } from './sample-snapshot.ts';

const minuteMs = 60_000;

const api = apiPerFile();
let fleet: Fleet;

beforeAll(async () => {
  fleet = fleetOf(api);
});

/** The message of an agent without a protobuf library. */
function wrapped(report: string): Uint8Array {
  return toBinary(
    SnapshotSchema,
    create(SnapshotSchema, {
      collectedAt: protobufTime(new Date()),
      collectorVersion: '1.0.0',
      report: Buffer.from(report),
    }),
  );
}

function parsedReport(report: string, receivedAt: Date): Snapshot {
  const parsed = parseReport(report, { receivedAt });
  if (parsed.kind !== 'snapshot') throw new Error(JSON.stringify(parsed.errors));
  return parsed.snapshot;
}

describe('one host through every door', () => {
  it('has the same state', async () => {
    await importOsv(api.database, [
      {
        id: 'DSA-1-1',
        schema_version: '1.6.0',
        modified: '2026-01-01T00:00:00Z',
        affected: [
          {
            package: { ecosystem: 'Debian:12', name: 'bash' },
            ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '5.2.15-2+deb12u9' }] }],
          },
        ],
      },
    ]);
    const machineId = newMachineId();
    const report = sampleReport({ machineId });
    const textual = await enrol(api, { hostname: 'web-1', machineId });
    const structured = await enrol(api, { hostname: 'web-1', machineId });
    const byHand = await fleet.addHost();
    const uploads = [
      await fleet.byAgent(textual.token, wrapped(report)),
      await fleet.byAgent(structured.token, encodeSnapshot(parsedReport(report, new Date()))),
      (await fleet.send(byHand, report)).body.report_id,
    ];
    for (const upload of uploads) await parseAndMatch(api.database, [upload]);
    const [first, ...others] = await Promise.all([textual.id, structured.id, byHand].map(stateOf));
    expect(first?.vulnerable.length).toBeGreaterThan(0);
    expect(first?.upgradable.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });

  /** Everything that follows from the installed packages, without the host's identity. */
  async function stateOf(id: string) {
    const under = async (path: string) => (await api.admin.get(`/api/v1/hosts/${id}${path}`)).body;
    const host = await fleet.hostOf(id);
    const vulnerable = await under('/packages/vulnerable?include_unfixed=true');
    const counted = Object.entries(host).filter(([name]) =>
      /_count$|_state$|^os_|^needs_|^coverage$|action$/.test(name),
    );
    return {
      host: Object.fromEntries(counted),
      vulnerable: vulnerable.map(({ first_seen_at: _, advisories, ...row }: Row) => ({
        ...row,
        advisories: advisories.map(({ first_seen_at: __, ...advisory }) => advisory),
      })),
      upgradable: await under('/packages/upgradable'),
      installed: await under('/packages'),
      kernel: await under('/kernel-posture'),
      payload: (await under('/snapshot')).payload,
    };
  }

  interface Row {
    readonly first_seen_at: string;
    readonly advisories: readonly { readonly first_seen_at: string }[];
  }

  it('is recognised as unchanged in text form if only fields outside the content hash changed', async () => {
    const machineId = newMachineId();
    const agent = await enrol(api, { hostname: 'web-2', machineId });
    const first = await fleet.byAgent(
      agent.token,
      wrapped(sampleReport({ machineId, collectedAt: new Date(Date.now() - minuteMs) })),
    );
    await parseAndMatch(api.database, [first]);
    expect(await fleet.byAgent(agent.token, wrapped(sampleReport({ machineId })))).toBe(first);
    expect((await fleet.send(agent.id, sampleReport({ machineId }))).body).toEqual({
      report_id: first,
      status: 'unchanged',
    });
    expect(await fleet.hostOf(agent.id)).toMatchObject({
      status: 'active',
      updates_state: expect.any(String),
    });
    const contact = await api.database.db.prisma.hostContact.findUnique({ where: { hostId: agent.id } });
    expect([contact?.bootedAt, contact?.listsAt]).toEqual([expect.any(Date), expect.any(Date)]);
  });
});

/** The family of this machine's package manager, as the agent detects it. */
const familyHere = (['apt', 'rpm'] as const).find((family) =>
  family === 'apt'
    ? existsSync('/var/lib/dpkg/status') && statSync('/var/lib/dpkg/status').size > 0
    : spawnSync('rpm', ['--version']).error === undefined,
);

describe('a report of this machine', () => {
  it('by the downloaded script gives the host its data', async () => {
    // Without a supported package manager there is nothing to collect: use a record of another machine.
    const report = familyHere === undefined ? sampleReport() : await collectHere(familyHere);
    const id = await fleet.addHost();
    const answer = await fleet.sendAndWait(id, report);
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    expect(await fleet.hostOf(id)).toMatchObject({ os_family: familyHere ?? 'apt', status: 'active' });
    expect((await api.admin.get(`/api/v1/hosts/${id}/packages`)).body.length).toBeGreaterThan(0);
  });

  async function collectHere(family: 'apt' | 'rpm'): Promise<string> {
    const script = await api.admin.get(`/api/v1/hosts/manual/script?os_family=${family}`);
    const { stdout } = spawnSync('sh', ['-s'], {
      input: script.text,
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 32 * 1024 * 1024,
    });
    return stdout;
  }
});
