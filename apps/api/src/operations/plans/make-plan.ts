import { fewestMoves } from '@plimsoll/advisories';
import type { FewestMovesAnswer, Plan, PlanMove } from '@plimsoll/contract';
import { AppError, type HostScope, type PackageManager } from '@plimsoll/model';
import pLimit from 'p-limit';
import type { ApiStores } from '../../stores.ts';
import { loadAssessment } from '../hosts/find-host.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import type { ReadHandler } from '../read-operation.ts';
import { planAnswer } from './plan-answer.ts';
import { hostsOf, type PlanContent, type PlannedSelection, type RecognisedPlan } from './plan-content.ts';
import { type Movable, type PlanEntry, type PlanOptions, planHost } from './plan-host.ts';
import { checkedIdentities } from './plan-identities.ts';
import { type Selection, selectHosts } from './select-hosts.ts';

/** POST /plans */
export const makePlan: ReadHandler<'makePlan'> = async (request, { stores, clock }) => {
  const { upgrades, versions, reboot, share, ...selection } = request.body;
  const options = { upgrades, versions, reboot, share };
  const madeAt = clock();
  const made = await planHosts(stores, request.caller.scope, selection, { options, madeAt }, request.signal);
  const content = await recognised(stores, request.caller.scope, { ...made, madeAt, options });
  return planAnswer(content, request, planOf(content));
};

/** Hosts that are loaded at the same time. */
const loadedAtOnce = 3;

/** Most package changes and advisories of one plan: it is built in memory. */
const mostRows = 300_000;

/**
 * Plans every host of a selection. Throws `validation_failed` for a selection that is too large, `unavailable` if the
 * client has disconnected.
 */
export async function planHosts(
  stores: Pick<ApiStores, 'hosts' | 'assessments' | 'savedPlans'>,
  scope: HostScope,
  selection: Selection,
  { options, madeAt }: Pick<PlanContent, 'options' | 'madeAt'>,
  signal: AbortSignal,
): Promise<PlannedSelection> {
  const { hosts, unknown } = await selectHosts(stores.hosts, scope, selection);
  const ids = hosts.map(({ id }) => id);
  const reports = await stores.savedPlans.reportTimes(ids);
  let rows = 0;
  const limit = pLimit(loadedAtOnce);
  const plan = async (overview: (typeof hosts)[number]): Promise<PlanEntry> => {
    // The work of a disconnected client would take the place of others.
    if (signal.aborted) throw new AppError('unavailable', 'The client has disconnected.');
    if (rows > mostRows) throw tooLarge();
    const assessed = await loadAssessment(stores.assessments, overview.id);
    const receivedAt = reports.get(overview.id)?.receivedAt ?? null;
    const entry = planHost({ overview, assessed, receivedAt, now: madeAt }, options);
    rows += rowsOf(entry);
    return entry;
  };
  const entries = await Promise.all(hosts.map((host) => limit(() => plan(host))));
  if (rows > mostRows) throw tooLarge();
  return { entries, unknown };
}

function tooLarge(): AppError {
  return new AppError(
    'validation_failed',
    `The plan has more than ${mostRows} package changes and advisories. Select fewer hosts.`,
  );
}

function rowsOf({ host: { packages, left_out, closes, stays_open } }: PlanEntry): number {
  return (
    packages.length +
    left_out.length +
    closes.length +
    stays_open.reduce((sum, { listed }) => sum + listed.length, 0)
  );
}

/** A plan with how its hosts are recognised now: they may have changed since it was made. */
export async function recognised(
  stores: Pick<ApiStores, 'hosts' | 'savedPlans'>,
  scope: HostScope,
  content: PlanContent,
): Promise<RecognisedPlan> {
  const ids = content.entries.map(({ host }) => host.host_id);
  const [machines, inventory] = await Promise.all([
    stores.savedPlans.machines(ids),
    readInventory(stores, scope, {}),
  ]);
  const inventoryNames = new Map(inventory.map(({ host, name }) => [host.id, name]));
  return { ...content, identities: checkedIdentities(content.entries, machines), inventoryNames };
}

/** The document of a plan. Hosts keep their order. */
export function planOf(content: RecognisedPlan): Plan {
  const { entries, unknown, madeAt, options } = content;
  const hosts = hostsOf(content);
  const sum = (count: (host: (typeof hosts)[number]) => number): number =>
    hosts.reduce((total, host) => total + count(host), 0);
  const ofState = (state: (typeof hosts)[number]['state']): number =>
    sum((host) => Number(host.state === state));
  return {
    made_at: madeAt.toISOString(),
    options,
    totals: {
      hosts: hosts.length,
      planned: ofState('planned'),
      nothing_to_do: ofState('nothing_to_do'),
      not_plannable: ofState('not_plannable'),
      not_covered: sum(({ not_covered }) => Number(not_covered !== null)),
      packages: sum(({ packages }) => packages.length),
      closes: sum(({ closes }) => closes.length),
      closes_after_reboot: sum(({ closes }) => closes.filter(({ after_reboot }) => after_reboot).length),
      stays_open: sum(({ stays_open }) => stays_open.reduce((all, { advisories }) => all + advisories, 0)),
      reboots_needed: sum(({ reboot }) => Number(reboot.state === 'needed')),
      reboots_unknown: sum(({ reboot }) => Number(reboot.state === 'unknown')),
      restarts_unknown: sum(({ restarts }) => Number(restarts.state === 'unknown')),
      forensics_first: sum(({ state, forensics_first }) =>
        Number(state === 'planned' && forensics_first.length > 0),
      ),
    },
    hosts,
    unknown_hosts: [...unknown],
    fewest_moves: movesOf(entries, options),
  };
}

/** The findings that count: overdue ones, without any those with a due date, without any all that have a fix. */
function basisOf(entries: readonly PlanEntry[]): FewestMovesAnswer['basis'] {
  const hasAny = (part: Movable | undefined): boolean =>
    part !== undefined && part.movable.length + Object.keys(part.blocked).length > 0;
  if (entries.some(({ overdue }) => hasAny(overdue))) return 'overdue';
  return entries.some(({ due }) => hasAny(due)) ? 'due' : 'with_fix';
}

const nothingMovable: Movable = { movable: [], blocked: {} };

function movesOf(all: readonly PlanEntry[], { share }: PlanOptions): FewestMovesAnswer {
  const basis = basisOf(all);
  const entries = all.map((entry) => ({
    host: entry.host,
    ...(basis === 'with_fix' ? entry : (entry[basis] ?? nothingMovable)),
  }));
  const found = fewestMoves(
    entries.map(({ host, movable, blocked }) => ({
      hostId: host.host_id,
      movable,
      blocked: Object.values(blocked).reduce((sum, findings) => sum + findings, 0),
    })),
    share,
  );
  const reasons = new Map<FewestMovesAnswer['blocked'][number]['reason'], number>();
  for (const { blocked } of entries) {
    for (const [reason, findings] of Object.entries(blocked)) {
      const known = reason as FewestMovesAnswer['blocked'][number]['reason']; // The object's own keys.
      reasons.set(known, (reasons.get(known) ?? 0) + findings);
    }
  }
  return {
    basis,
    findings: found.findings,
    closable: found.closable,
    target: found.target,
    target_of: found.targetOf,
    closed: found.closed,
    moves: found.moves.map(moveAnswer),
    at_least: found.atLeast,
    blocked: [...reasons]
      .map(([reason, findings]) => ({ reason, findings }))
      .sort((a, b) => b.findings - a.findings || (a.reason < b.reason ? -1 : 1)),
  };
}

function moveAnswer(move: ReturnType<typeof fewestMoves>['moves'][number]): PlanMove {
  if (move.kind === 'reboot') {
    return { kind: 'reboot', host_id: move.hostId, closes: move.closes, urgent: move.urgent };
  }
  const [manager = '', ...name] = move.upgrade.split(' ');
  return {
    kind: 'upgrade',
    source_name: name.join(' '),
    package_manager: manager as PackageManager, // Written by planHost.
    hosts: [...move.hosts],
    closes: move.closes,
    enables: move.enables,
    urgent: move.urgent,
  };
}
