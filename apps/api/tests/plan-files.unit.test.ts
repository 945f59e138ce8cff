import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MachineIdentity } from '@plimsoll/db';
import { parse, parseDocument } from 'yaml';
import { hostsOf, type RecognisedPlan } from '../src/operations/plans/plan-content.ts';
import type { PlanEntry, PlannedWork } from '../src/operations/plans/plan-host.ts';
import { checkedIdentities } from '../src/operations/plans/plan-identities.ts';
import { planPlaybook } from '../src/operations/plans/plan-playbook.ts';
import { planScript } from '../src/operations/plans/plan-script.ts';
import { planTable } from '../src/operations/plans/plan-table.ts';

const hostile = [
  "'; touch hacked; '",
  '$(touch hacked)',
  '`touch hacked`',
  '\nexit 0\ntouch hacked',
  '{{ lookup("pipe", "touch hacked") }}',
  '=cmd|calc',
  '--- \u2028touch hacked',
  '!!python/object/apply:os.system ["id"]',
];

const machine = 'a'.repeat(32);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-plan-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const change = (name: string, to_version = '2') => ({
  name,
  architecture: 'amd64',
  from_version: '1',
  to_version,
  repository: 'main',
  is_security: true,
  severity: 'critical' as const,
  advisory_ids: [],
});

function entry(host: Partial<PlannedWork>, identity: Partial<PlanEntry['identity']> = {}): PlanEntry {
  return {
    host: {
      host_id: '019a0000-0000-7000-8000-000000000001',
      display_name: 'web-1',
      hostname: 'web-1',
      state: 'planned',
      notes: [],
      gaps: [],
      snapshot_id: null,
      snapshot_received_at: null,
      updates_state: 'known',
      package_manager: 'apt',
      packages: [change('curl')],
      left_out: [],
      closes: [],
      stays_open: [],
      reboot: { state: 'not_needed', reasons: [] },
      restarts: { state: 'unknown', services: [] },
      command: 'apt-get update && apt-get -y install curl=2',
      ...host,
    },
    identity: { machineId: machine, nodeName: 'web-1', ...identity },
    architecture: 'amd64',
    forensicsFirst: [],
    movable: [],
    blocked: {},
  };
}

/** What the database says of the machine of an entry, unless something else is given. */
const machineOf = ({ host, identity }: PlanEntry, facts: Partial<MachineIdentity> = {}): MachineIdentity => ({
  hostId: host.host_id as MachineIdentity['hostId'],
  approvalStatus: 'approved',
  machineId: identity.machineId,
  reportedId: identity.machineId,
  isShared: false,
  ...facts,
});

function content(
  entries: readonly PlanEntry[],
  { reboot = false, machines = entries.map((one) => machineOf(one)) } = {},
): RecognisedPlan {
  return {
    entries,
    unknown: [],
    madeAt: new Date('2026-11-23T06:00:00Z'),
    options: { upgrades: 'all', versions: 'pinned', reboot, share: 0.8 },
    identities: checkedIdentities(entries, machines),
    inventoryNames: new Map(entries.map(({ host }) => [host.host_id, host.hostname])),
  };
}

/** Runs a script on an invented machine; the commands it ran are in `calls`. */
function runOn(
  script: string,
  { machineId = machine, name = 'web-1', user = '0', failing = '', evidence = '' } = {},
) {
  const calls = path.join(folder, 'calls');
  writeFileSync(calls, '');
  const program = (file: string, body: string): void => {
    writeFileSync(path.join(folder, file), `#!/bin/sh\n${body}\n`);
    chmodSync(path.join(folder, file), 0o755);
  };
  program('cat', `echo ${machineId}`);
  program('uname', `echo ${name}`);
  program('id', `echo ${user}`);
  for (const file of ['apt-get', 'shutdown']) {
    program(file, `echo ${file} "$@" >> ${calls}\n[ "$1" != '${failing}' ]`);
  }
  const env = {
    PATH: `${folder}:/usr/bin:/bin`,
    ...(evidence !== '' && { PLIMSOLL_EVIDENCE_TAKEN: evidence }),
  };
  const { status, stdout, stderr } = spawnSync('sh', ['-s'], {
    input: script,
    env,
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr, calls: readFileSync(calls, 'utf8').split('\n').filter(Boolean) };
}

const scriptOf = (plan: RecognisedPlan): string => [...planScript(plan)].join('');

describe('the script of a plan', () => {
  it('upgrades only the machine with the machine id and the name of the host', () => {
    const script = scriptOf(content([entry({})]));
    expect(runOn(script)).toMatchObject({
      status: 0,
      calls: ['apt-get update', 'apt-get -y install curl=2'],
    });
    for (const other of [{ machineId: 'b'.repeat(32) }, { name: 'web-2' }]) {
      expect(runOn(script, other)).toMatchObject({ status: 3, calls: [] });
    }
    expect(runOn(script, { user: '1000' })).toMatchObject({ status: 2, calls: [] });
  });

  it('reboots only if the plan may, and never after a failed upgrade', () => {
    const due = entry({ reboot: { state: 'needed', reasons: [] } });
    const reboots = scriptOf(content([due], { reboot: true }));
    expect(runOn(reboots).calls.at(-1)).toBe('shutdown -r +1');
    expect(runOn(reboots, { failing: 'update' })).toMatchObject({ status: 1, calls: ['apt-get update'] });
    expect(runOn(reboots, { failing: '-y' })).toMatchObject({ status: 1 });
    expect(runOn(reboots, { failing: '-y' }).calls).not.toContain('shutdown -r +1');
    const stays = runOn(scriptOf(content([due])));
    expect([stays.calls.length, stays.stdout.includes('A reboot is due')]).toEqual([2, true]);
  });

  it('changes nothing where evidence is to be taken first, until the user states that it is taken', () => {
    const hostile = "DSA-1'; touch hacked; '";
    const first = {
      ...entry({ reboot: { state: 'needed', reasons: [] } }),
      forensicsFirst: [hostile, 'DSA-2'],
    };
    const script = scriptOf(content([first], { reboot: true }));
    const stopped = runOn(script);
    expect(stopped).toMatchObject({ status: 5, calls: [] });
    expect(stopped.stderr).toContain(`because of ${hostile}, DSA-2.\nTake the evidence before anything`);
    expect(stopped.stderr).toContain('Run this with PLIMSOLL_EVIDENCE_TAKEN=1');
    expect(runOn(script, { evidence: '0' })).toMatchObject({ status: 5, calls: [] });
    const ran = runOn(script, { evidence: '1' });
    expect(ran).toMatchObject({ status: 0, calls: { length: 3 } });
    expect(ran.stderr).toContain('Take the evidence before anything');
    // Nothing would be changed, so that nothing stops.
    const idle = {
      ...entry({ state: 'nothing_to_do', packages: [], command: null }),
      forensicsFirst: ['DSA-2'],
    };
    expect(runOn(scriptOf(content([idle])))).toMatchObject({ status: 0, calls: [] });
  });

  it('says on a host without a plan why it has none', () => {
    const notes = [{ code: 'package_lists_unknown', detail: "It didn't report." }] as const;
    const script = scriptOf(content([entry({ state: 'not_plannable', notes: [...notes], command: null })]));
    expect(runOn(script)).toMatchObject({ status: 4, calls: [] });
    expect(runOn(script).stdout).toContain("It didn't report.");
  });

  it.each<[code: string, facts: Partial<MachineIdentity>]>([
    ['not_approved', { approvalStatus: 'pending' }],
    ['not_approved', { approvalStatus: 'retired' }],
    ['no_report', { reportedId: null }],
    ['machine_id_missing', { reportedId: "'; touch hacked; '" }],
    ['machine_id_missing', { reportedId: '' }],
    ['machine_id_shared', { isShared: true }],
    ['machine_id_changed', { machineId: 'b'.repeat(32) }],
    ['machine_id_changed', { machineId: 'b'.repeat(32), reportedId: 'b'.repeat(32) }],
  ])('has no section for a host that is %s, although its name is that of the machine: %j', (code, facts) => {
    const host = entry({ reboot: { state: 'needed', reasons: [] } });
    const plan = content([host], { reboot: true, machines: [machineOf(host, facts)] });
    expect(hostsOf(plan).map(({ not_covered }) => not_covered?.code)).toEqual([code]);
    const ran = runOn(scriptOf(plan));
    expect(ran).toMatchObject({ status: 3, calls: [] });
    expect(ran.stderr).toContain('one of its hosts that are not covered (1)');
    expect(scriptOf(plan)).toMatch(/^# Not covered: web-1 .+: .+\.$/m);
  });

  it.each(hostile)('runs nothing of a host called %j', (text) => {
    const script = scriptOf(
      content([entry({ display_name: text, notes: [{ code: 'no_feed', detail: text }] })]),
    );
    const { status, calls } = runOn(script);
    expect([status, calls.length]).toEqual([0, 2]);
    expect(() => readFileSync(path.join(folder, 'hacked'))).toThrow('ENOENT');
    execFileSync('sh', ['-n'], { input: script });
  });
});

describe('the playbook of a plan', () => {
  const playbookOf = (plan: RecognisedPlan): string => [...planPlaybook(plan)].join('');

  it('has a play for each planned host, which first checks the machine', () => {
    const other = { host_id: '019a0000-0000-7000-8000-000000000002', hostname: 'db-1' };
    const dnf = {
      ...other,
      package_manager: 'dnf' as const,
      packages: [{ ...change('openssl', '1:3.0.7-28.el9'), architecture: 'x86_64' }],
      reboot: { state: 'needed' as const, reasons: [] },
    };
    const plays = parse(
      playbookOf(content([entry({}), entry(dnf, { machineId: 'b'.repeat(32) })], { reboot: true })),
    );
    expect(plays).toHaveLength(2);
    expect(plays[0]).toMatchObject({ hosts: 'web-1', become: true });
    expect(plays[0].tasks.map((task: object) => Object.keys(task)[1])).toEqual([
      'ansible.builtin.command',
      'ansible.builtin.command',
      'ansible.builtin.assert',
      'ansible.builtin.apt',
    ]);
    expect(plays[0].tasks[2]['ansible.builtin.assert'].that).toEqual([
      `plimsoll_machine_id.stdout == "${machine}"`,
      'plimsoll_node_name.stdout == "web-1"',
    ]);
    expect(plays[0].tasks[3]['ansible.builtin.apt']).toEqual({
      name: ['curl=2'],
      state: 'present',
      only_upgrade: true,
      update_cache: true,
    });
    expect(plays[1].tasks.slice(3)).toEqual([
      {
        name: 'Upgrade the packages',
        'ansible.builtin.dnf': {
          name: ['openssl-1:3.0.7-28.el9.x86_64'],
          state: 'present',
          update_cache: true,
        },
      },
      { name: 'Reboot', 'ansible.builtin.reboot': {} },
    ]);
  });

  it('checks before the upgrade that the evidence of a host is taken, by its inventory name', () => {
    const playbook = playbookOf(content([{ ...entry({}), forensicsFirst: ['DSA-1'] }]));
    const tasks: readonly Record<string, { that: string[] }>[] = parse(playbook)[0].tasks;
    expect(tasks.map((task) => Object.keys(task)[1]).slice(2)).toEqual([
      'ansible.builtin.assert',
      'ansible.builtin.assert',
      'ansible.builtin.apt',
    ]);
    expect(tasks[3]?.['ansible.builtin.assert']?.that).toEqual([
      "inventory_hostname in (plimsoll_evidence_taken | default('')).split(',')",
    ]);
    expect(playbook).toContain('# Evidence is to be taken first: 019a0000-0000-7000-8000-000000000001');
    expect(playbookOf(content([entry({})]))).not.toContain('evidence');
  });

  it.each(hostile)('contains no text of a host called %j', (text) => {
    const host = entry({ display_name: text, hostname: text }, { nodeName: text });
    const inventoryNames = new Map([[host.host.host_id, 'host-1']]);
    const playbook = playbookOf({ ...content([host]), inventoryNames });
    const document = parseDocument(playbook);
    expect([document.errors, document.warnings]).toEqual([[], []]);
    expect(playbook).not.toMatch(/hacked|calc|python|\{\{/);
  });

  it('has no play for a host that cannot be recognised, and says why', () => {
    const host = entry({});
    const playbook = playbookOf(content([host], { machines: [machineOf(host, { isShared: true })] }));
    expect(parse(playbook)).toEqual([]);
    expect(playbook).toContain(`# Not covered, machine_id_shared: Another host`);
  });

  it('is an empty list if no host is planned', () => {
    expect(parse(playbookOf(content([entry({ state: 'nothing_to_do', packages: [] })])))).toEqual([]);
  });
});

describe('the table of a plan', () => {
  it('has no cell that a spreadsheet takes for a formula', async () => {
    const { pieces } = await planTable(
      hostsOf(content(hostile.map((text) => entry({ display_name: text, hostname: text })))),
    );
    let table = '';
    for await (const piece of pieces) table += piece;
    expect(table).toContain(`"'=cmd|calc"`);
    expect(table).not.toMatch(/"[=+@]/);
  });
});
