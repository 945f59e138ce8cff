import { packageManagerOf } from '@plimsoll/advisories';
import type { UpgradePlan } from '@plimsoll/contract';
import type { HostOverview } from '@plimsoll/db';
import { bitsOfGaps, updateGaps } from '@plimsoll/model';
import { findHost, gapsHeader, type LoadedAssessment, loadAssessment } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';
import { forensicsFirst } from './forensics-first.ts';
import { planAdvisories } from './plan-advisories.ts';
import { planCommands } from './plan-commands.ts';
import { planPackages } from './plan-packages.ts';
import { planReboot, planRestarts } from './plan-reboot.ts';

/** GET /hosts/{id}/plan */
export const getUpgradePlan: ReadHandler<'getUpgradePlan'> = async ({ params, caller }, { stores }) => {
  const overview = await findHost(stores.hosts, caller.scope, params.id);
  const headers = gapsHeader(overview);
  const assessed = await loadAssessment(stores.assessments, params.id);
  if (assessed === null) return { kind: 'json', status: 200, headers, body: nothingKnown(overview) };
  const then = await stores.history.find(
    params.id,
    { kind: 'snapshot', id: assessed.host.snapshotId },
    'now',
  );
  return { kind: 'json', status: 200, headers, body: planOf(overview, assessed, then?.receivedAt ?? null) };
};

const unknownUpdates = bitsOfGaps(updateGaps);

/** The plan of an assessed host; with `only`, of these changes. */
export function planOf(
  overview: Pick<HostOverview, 'id' | 'updatesState' | 'gaps'>,
  assessed: LoadedAssessment,
  receivedAt: Date | null,
  only: (change: UpgradePlan['packages'][number]) => boolean = () => true,
): UpgradePlan {
  const { host } = assessed;
  const { platform } = host.facts;
  const manager = packageManagerOf(
    platform,
    host.packages.map(({ version }) => version.name),
  );
  const { packages: offered, leftOut, allSafe } = planPackages(assessed, manager);
  const packages = offered.filter(only);
  const planned = { packages, areComplete: (overview.gaps & unknownUpdates) === 0, manager };
  return {
    host_id: overview.id,
    snapshot_id: host.snapshotId,
    snapshot_received_at: receivedAt?.toISOString() ?? null,
    updates_state: overview.updatesState,
    package_manager: manager,
    packages,
    left_out: leftOut,
    ...planAdvisories(assessed, leftOut),
    reboot: planReboot(assessed, planned),
    forensics_first: forensicsFirst(assessed),
    restarts: planRestarts(assessed, planned),
    commands: manager === null ? [] : planCommands(manager, packages, { ...planned, allSafe }, platform),
  };
}

/** For a host without a report. */
export function nothingKnown({ id }: Pick<HostOverview, 'id'>): UpgradePlan {
  return {
    host_id: id,
    snapshot_id: null,
    snapshot_received_at: null,
    updates_state: 'unknown',
    package_manager: null,
    packages: [],
    left_out: [],
    closes: [],
    stays_open: [],
    reboot: { state: 'unknown', reasons: [] },
    forensics_first: [],
    restarts: { state: 'unknown', services: [] },
    commands: [],
  };
}
