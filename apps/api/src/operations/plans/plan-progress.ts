import { changeOf } from '@plimsoll/advisories';
import type { PlanProgressHost } from '@plimsoll/contract';
import type { ListedOverview, ReportTimes } from '@plimsoll/db';
import { compareText, gapsOfBits, type Release } from '@plimsoll/model';
import { fixWords } from '@plimsoll/words';
import pLimit from 'p-limit';
import { type LoadedAssessment, loadAssessment } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';
import type { PlannedWork, PlanOptions } from './plan-host.ts';
import { loadSavedPlan } from './saved-plans.ts';

/** Hosts that are loaded at the same time. */
const loadedAtOnce = 3;

/** GET /saved-plans/{id}/progress */
export const getPlanProgress: ReadHandler<'getPlanProgress'> = async (request, services) => {
  const { stores, clock } = services;
  const { scope } = request.caller;
  const { content } = await loadSavedPlan(stores, scope, request.params.id);
  const reports = await stores.savedPlans.reportTimes(content.entries.map(({ host }) => host.host_id));
  const limit = pLimit(loadedAtOnce);
  const progress = async (planned: PlannedWork): Promise<PlanProgressHost | null> => {
    const overview = await stores.hosts.find(scope, planned.host_id);
    if (overview === null) return null;
    const report = reports.get(planned.host_id) ?? null;
    const isSince = report !== null && report.confirmedAt > content.madeAt;
    const assessed = isSince ? await loadAssessment(stores.assessments, planned.host_id) : null;
    return progressOf(planned, content.options, { overview, report, assessed });
  };
  const all = await Promise.all(content.entries.map(({ host }) => limit(() => progress(host))));
  const hosts = all
    .filter((host) => host !== null)
    .sort((a, b) => compareText(a.display_name, b.display_name) || compareText(a.host_id, b.host_id));
  const ofState = (state: PlanProgressHost['state']): number =>
    hosts.filter((host) => host.state === state).length;
  return {
    kind: 'json',
    status: 200,
    body: {
      made_at: content.madeAt.toISOString(),
      as_of: clock().toISOString(),
      totals: {
        done: ofState('done'),
        open: ofState('open'),
        not_known: ofState('not_known'),
        not_reported: ofState('not_reported'),
        nothing_planned: ofState('nothing_planned'),
        not_plannable: ofState('not_plannable'),
      },
      hosts,
    },
  };
};

/** How far a host is; `assessed` is null if it has not reported since the plan was made. */
export function progressOf(
  planned: PlannedWork,
  options: PlanOptions,
  now: {
    readonly overview: Pick<ListedOverview, 'id' | 'displayName' | 'rebootState' | 'gaps'>;
    readonly report: ReportTimes | null;
    readonly assessed: LoadedAssessment | null;
  },
): PlanProgressHost {
  const { overview, report, assessed } = now;
  const open = assessed === null ? [] : openPackages(planned, assessed);
  const stillOpen = assessed === null ? [] : openAdvisories(planned, assessed);
  const isRebootLeft = isRebooted(planned, options) && overview.rebootState === 'needed';
  const isRebootUnknown = isRebooted(planned, options) && overview.rebootState === 'unknown';
  const hasWork = open.length > 0 || stillOpen.length > 0 || isRebootLeft;
  const reached = hasWork ? 'open' : isRebootUnknown ? 'not_known' : 'done';
  return {
    host_id: overview.id,
    display_name: overview.displayName,
    state: stateOf(planned, assessed === null ? 'not_reported' : reached),
    reported_at: report?.confirmedAt.toISOString() ?? null,
    packages_done: assessed === null ? 0 : planned.packages.length - open.length,
    packages_open: open,
    closed: assessed === null ? 0 : planned.closes.length - stillOpen.length,
    still_open: stillOpen,
    reboot_state: overview.rebootState,
    reboot_unknown:
      overview.rebootState === 'unknown' ? (assessed?.assessment.kernelPosture.rebootUnknown ?? null) : null,
    gaps: [...gapsOfBits(overview.gaps)],
  };
}

/** @param reached how far a host with a plan is. */
function stateOf({ state }: PlannedWork, reached: PlanProgressHost['state']): PlanProgressHost['state'] {
  if (state === 'not_plannable') return state;
  return state === 'nothing_to_do' ? 'nothing_planned' : reached;
}

/** Whether the plan reboots the host, as its script does, or closes something by a reboot. */
function isRebooted({ reboot, closes }: PlannedWork, options: PlanOptions): boolean {
  return options.reboot && (reboot.state === 'needed' || closes.some(({ after_reboot }) => after_reboot));
}

/** The planned packages without a version as high as planned. Versions that cannot be compared must be equal. */
function openPackages(planned: PlannedWork, { host }: LoadedAssessment): PlanProgressHost['packages_open'] {
  const installed = new Map<string, string[]>();
  for (const { version } of host.packages) {
    const key = `${version.name} ${version.architecture}`;
    installed.set(key, [...(installed.get(key) ?? []), version.version]);
  }
  return planned.packages.flatMap(({ name, architecture, to_version }) => {
    const versions = installed.get(`${name} ${architecture}`) ?? [];
    if (versions.some((version) => isAtLeast(host.release, version, to_version))) return [];
    return [{ name, architecture, to_version, installed_version: versions.at(-1) ?? null }];
  });
}

function isAtLeast(release: Release, version: string, planned: string): boolean {
  const change = changeOf(version, planned, release);
  return change === 'same' || change === 'downgrade';
}

/** What the plan would have closed and is open. A kernel's package has another name after an upgrade. */
function openAdvisories(
  { closes }: PlannedWork,
  { assessment }: LoadedAssessment,
): PlanProgressHost['still_open'] {
  return closes.flatMap(({ id, packages, after_reboot }) => {
    for (const finding of assessment.findings) {
      if (!after_reboot && !packages.includes(finding.name)) continue;
      const found = finding.advisories.find(({ statement }) => statement.externalId === id);
      if (found === undefined) continue;
      const { fixState, statement } = found;
      return [{ id, severity: statement.severity, fix_state: fixState, reason: fixWords[fixState].meaning }];
    }
    return [];
  });
}
