import type { PlanEntry } from '../src/operations/plans/plan-host.ts';
import { readEntry, writeEntry } from '../src/operations/plans/saved-entry.ts';

type Host = PlanEntry['host'];

function entry(host: Partial<Host>): PlanEntry {
  const empty: Host = {
    host_id: '019a0000-0000-7000-8000-000000000000',
    display_name: 'alpha',
    hostname: 'alpha.example.org',
    state: 'nothing_to_do',
    notes: [],
    gaps: [],
    snapshot_id: null,
    snapshot_received_at: null,
    updates_state: 'known',
    package_manager: 'apt',
    packages: [],
    left_out: [],
    closes: [],
    stays_open: [],
    reboot: { state: 'not_needed', reasons: [] },
    restarts: { state: 'not_needed', services: [] },
    command: null,
  };
  const identity = { machineId: '', nodeName: '' };
  const rest = { forensicsFirst: [], architecture: 'amd64', movable: [], blocked: {} };
  return { host: { ...empty, ...host }, identity, ...rest };
}

/** As earlier versions wrote it. */
const readOld = (host: Partial<Host>): Host => readEntry(JSON.stringify(entry(host))).host;

describe('a plan that an earlier version saved', () => {
  it.each<[what: string, host: Partial<Host>, notes: readonly string[]]>([
    ['a reboot is due', { reboot: { state: 'needed', reasons: [] } }, ['reboot_not_allowed']],
    ['it is not known whether one is due', { reboot: { state: 'unknown', reasons: [] } }, ['reboot_unknown']],
    ['the host has the gap', { gaps: ['reboot_unknown'] }, ['reboot_unknown']],
    ['more updates than known may be offered', { gaps: ['package_lists_outdated'] }, ['reboot_unknown']],
  ])('does not say that a host has nothing to do where %s', (_, host, notes) => {
    const read = readOld(host);
    expect([read.state, read.notes.map(({ code }) => code)]).toEqual(['not_plannable', notes]);
  });

  it('forecasts no reboot only where that was known', () => {
    const planned = { state: 'planned', gaps: ['repository_outdated'] } as const;
    expect(readOld({ ...planned, gaps: [...planned.gaps] })).toMatchObject({
      state: 'planned',
      reboot: { state: 'unknown' },
    });
    expect(readOld({ state: 'planned' }).reboot.state).toBe('not_needed');
  });

  it('still says that a host has nothing to do where that was known', () => {
    expect(readOld({})).toEqual(entry({}).host);
  });
});

it('reads what this version saves as it was made', () => {
  // A container needs no reboot whatever is offered.
  const made = entry({ gaps: ['package_lists_outdated'], notes: [] });
  expect(readEntry(writeEntry(made))).toEqual(made);
});
