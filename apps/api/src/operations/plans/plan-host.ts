import {
  type Finding,
  fullUpgradeCommand,
  isImageBased,
  type MovableFindings,
  namedUpgradeCommand,
  ownSecurityCommand,
  selectFindings,
} from '@plimsoll/advisories';
import type { FewestMovesAnswer, Plan, PlannedHost, UpgradePlan } from '@plimsoll/contract';
import type { ListedOverview } from '@plimsoll/db';
import {
  compareSeverity,
  type FixState,
  fixStates,
  gapsOfBits,
  type PackageManager,
  type Platform,
} from '@plimsoll/model';
import { fixWords, planNoteWords } from '@plimsoll/words';
import type { LoadedAssessment } from '../hosts/find-host.ts';
import { isOfKernel } from '../plan/plan-advisories.ts';
import { isForSecurity, namedByCommand } from '../plan/plan-commands.ts';
import { nothingKnown, planOf } from '../plan/upgrade-plan.ts';
import { hasPlaybook } from './ansible-modules.ts';

/** How hosts are planned. */
export type PlanOptions = Plan['options'];

type Note = PlannedHost['notes'][number];
type BlockReason = FewestMovesAnswer['blocked'][number]['reason'];

/** What the host reported of its machine; scripts compare it as far as it is valid. */
export interface Identity {
  /** Empty if unknown. */
  readonly machineId: string;
  /** As `uname -n` prints it; empty if unknown. */
  readonly nodeName: string;
}

/**
 * What is planned on a host. Whether and under which name scripts and playbooks have it, and whether evidence is to be taken
 * first, is judged whenever they are made.
 */
export type PlannedWork = Omit<PlannedHost, 'inventory_name' | 'not_covered' | 'forensics_first'>;

/** A host of a plan with what only the whole plan shows. */
export interface PlanEntry {
  readonly host: PlannedWork;
  readonly identity: Identity;
  /** As `forensics_first` of the host. */
  readonly forensicsFirst: readonly string[];
  /** The architecture of the host, as its package manager names it. */
  readonly architecture: string;
  readonly movable: readonly MovableFindings[];
  readonly blocked: Readonly<Partial<Record<BlockReason, number>>>;
  /** The same of findings with a due date, and of those past it; absent in plans that earlier versions saved. */
  readonly due?: Movable;
  readonly overdue?: Movable;
}

/** What closes findings of a host, and what is in the way of the others. */
export type Movable = Pick<PlanEntry, 'movable' | 'blocked'>;

/** What is known of a host to plan. */
export interface HostToPlan {
  readonly overview: ListedOverview;
  /** Null without a report. */
  readonly assessed: LoadedAssessment | null;
  readonly receivedAt: Date | null;
  readonly now: Date;
}

/** The plan of one host by the rules of GET /hosts/{id}/plan. */
export function planHost(found: HostToPlan, options: PlanOptions): PlanEntry {
  const { overview, assessed, receivedAt } = found;
  const obstacle = obstacleOf(found);
  const only = options.upgrades === 'security' ? isForSecurity : () => true;
  const full = assessed === null ? nothingKnown(overview) : planOf(overview, assessed, receivedAt, only);
  const plan = obstacle === null ? withReboots(full, options) : withoutChanges(full);
  const reboots = options.reboot && plan.reboot.state === 'needed';
  const gaps = [...gapsOfBits(overview.gaps)];
  const hasWork = plan.packages.length > 0 || reboots;
  const notes =
    obstacle === null
      ? [...notesOf(plan, gaps), ...(hasWork ? [] : rebootNotes(plan.reboot.state))]
      : [note(obstacle)];
  const hides = new Set([...hidesWork, ...(leavesOffersOut(found, plan, options) ? hidesSecurity : [])]);
  const isKnown = !notes.some(({ code }) => hides.has(code));
  const movableBy = (counts: (finding: Finding) => boolean) =>
    movableOf(counts, assessed, plan, obstacle, options);
  const now = found.now.getTime();
  const platform = assessed?.host.facts.platform;
  const identity = { machineId: platform?.machineId ?? '', nodeName: platform?.hostname ?? '' };
  return {
    host: {
      host_id: overview.id,
      display_name: overview.displayName,
      hostname: overview.hostname,
      state:
        obstacle !== null
          ? 'not_plannable'
          : hasWork
            ? 'planned'
            : isKnown
              ? 'nothing_to_do'
              : 'not_plannable',
      notes,
      gaps,
      snapshot_id: plan.snapshot_id,
      snapshot_received_at: plan.snapshot_received_at,
      updates_state: plan.updates_state,
      package_manager: plan.package_manager,
      packages: plan.packages,
      left_out: plan.left_out,
      closes: plan.closes,
      stays_open: byFixState(plan.stays_open),
      reboot: plan.reboot,
      restarts: plan.restarts,
      command: platform === undefined ? null : commandOf(full, plan, options, platform),
    },
    identity,
    forensicsFirst: plan.forensics_first,
    architecture: platform?.architecture ?? '',
    ...movableBy(() => true),
    due: movableBy(({ dueAt }) => dueAt !== null),
    overdue: movableBy(({ dueAt }) => dueAt !== null && dueAt <= now),
  };
}

/** Notes with which an empty plan does not mean that there is nothing to do. */
export const hidesWork: ReadonlySet<Note['code']> = new Set([
  'report_outdated',
  'package_lists_unknown',
  'package_lists_outdated',
  'repository_failing',
  'repository_outdated',
  'unsafe_names',
  'reboot_not_allowed',
  'reboot_unknown',
]);

/** Notes with which it is not known that none of the offers is for security. */
const hidesSecurity: readonly Note['code'][] = ['no_feed', 'feed_outdated'];

/** Whether a plan of security updates has no package of a host, but could have others. */
function leavesOffersOut(
  { overview, assessed, receivedAt }: HostToPlan,
  { packages }: UpgradePlan,
  { upgrades }: PlanOptions,
): boolean {
  if (assessed === null || upgrades !== 'security' || packages.length > 0) return false;
  return planOf(overview, assessed, receivedAt).packages.length > 0;
}

/** Why nothing can be planned; null: a plan can be made. */
function obstacleOf({ overview, assessed }: HostToPlan): Note['code'] | null {
  if (overview.retiredAt !== null) return 'retired';
  if (assessed === null) return 'no_report';
  if (overview.approvalStatus === 'pending') return 'pending_approval';
  return assessed.host.facts.platform.osFamily === 'unknown' ? 'package_manager_unknown' : null;
}

function note(code: Note['code']): Note {
  return { code, detail: planNoteWords[code].meaning };
}

/** What an empty plan says of reboots. */
export function rebootNotes(state: UpgradePlan['reboot']['state']): Note[] {
  switch (state) {
    case 'needed':
      return [note('reboot_not_allowed')];
    case 'unknown':
      return [note('reboot_unknown')];
    case 'not_needed':
      return [];
    default:
      return state satisfies never;
  }
}

function notesOf(plan: UpgradePlan, gaps: PlannedHost['gaps']): Note[] {
  const noteOfGap: Partial<Record<(typeof gaps)[number], Note['code']>> = {
    report_outdated: 'report_outdated',
    package_lists_outdated: 'package_lists_outdated',
    package_lists_unknown: 'package_lists_unknown',
    repository_failing: 'repository_failing',
    repository_outdated: 'repository_outdated',
    feed_outdated: 'feed_outdated',
    feed_never_synced: 'no_feed',
    no_feed: 'no_feed',
    release_eol: 'release_eol',
    packages_unchecked: 'packages_unchecked',
  };
  const codes = new Set(gaps.flatMap((gap) => noteOfGap[gap] ?? []));
  if (plan.left_out.some(({ reason }) => reason === 'unsafe_name')) codes.add('unsafe_names');
  const { package_manager: manager } = plan;
  if (manager !== null && isImageBased(manager)) codes.add('image_based');
  if (manager !== null && !hasPlaybook(manager)) codes.add('no_playbook');
  return [...codes].map(note);
}

/** The plan with reboots, which also close what waits for one; or without, so that it stays open. */
function withReboots(plan: UpgradePlan, { reboot }: PlanOptions): UpgradePlan {
  if (reboot) {
    const pending = plan.stays_open.filter(({ fix_state }) => fix_state === 'pending_reboot');
    const closed = pending.map(({ fix_state: _closed, ...advisory }) => ({
      ...advisory,
      after_reboot: true,
    }));
    return {
      ...plan,
      closes: [...plan.closes, ...closed].sort(byUrgency),
      stays_open: plan.stays_open.filter(({ fix_state }) => fix_state !== 'pending_reboot'),
    };
  }
  const waiting = plan.closes.filter(({ after_reboot }) => after_reboot);
  const open = waiting.map(({ after_reboot: _open, ...advisory }) => ({
    ...advisory,
    fix_state: 'pending_reboot' as const,
  }));
  return {
    ...plan,
    closes: plan.closes.filter(({ after_reboot }) => !after_reboot),
    stays_open: [...plan.stays_open, ...open].sort(byUrgency),
  };
}

type Ranked = Pick<UpgradePlan['closes'][number], 'id' | 'severity' | 'known_exploited'>;

function byUrgency(a: Ranked, b: Ranked): number {
  return (
    compareSeverity(a.severity, b.severity) ||
    Number(b.known_exploited) - Number(a.known_exploited) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** A plan that changes nothing: what an upgrade would close stays open. */
function withoutChanges(plan: UpgradePlan): UpgradePlan {
  const open = plan.closes.map(({ after_reboot, ...advisory }) => ({
    ...advisory,
    fix_state: after_reboot ? ('pending_reboot' as const) : ('installable' as const),
  }));
  return {
    ...plan,
    packages: [],
    left_out: [],
    closes: [],
    stays_open: [...plan.stays_open, ...open].sort(byUrgency),
    reboot: { state: 'unknown', reasons: [] },
    restarts: { state: 'unknown', services: [] },
    commands: [],
  };
}

/** Most advisories that are listed of each fix state: some releases have thousands without a fix. */
const mostListed = 50;

function byFixState(staysOpen: UpgradePlan['stays_open']): PlannedHost['stays_open'] {
  return fixStates.flatMap((fix_state) => {
    const all = staysOpen.filter((advisory) => advisory.fix_state === fix_state);
    const [first] = all;
    if (first === undefined) return [];
    return [
      {
        fix_state,
        reason: fixWords[fix_state].meaning,
        advisories: all.length,
        known_exploited: all.filter(({ known_exploited }) => known_exploited).length,
        worst_severity: first.severity,
        listed: all.slice(0, mostListed).map(({ fix_state: _known, ...advisory }) => advisory),
      },
    ];
  });
}

/** The command for the script: it asks nothing. Null if there is nothing to upgrade. */
function commandOf(
  { commands }: UpgradePlan,
  { packages, package_manager: manager }: UpgradePlan,
  { upgrades, versions }: PlanOptions,
  platform: Pick<Platform, 'osId' | 'architecture'>,
): string | null {
  if (manager === null || packages.length === 0) return null;
  if (isImageBased(manager)) return fullUpgradeCommand(manager, platform, 'asks_nothing');
  const named = namedByCommand(manager, packages);
  if (versions === 'newest') {
    const isWhole = upgrades === 'all' && commands.some(({ scope }) => scope === 'full');
    if (isWhole) return fullUpgradeCommand(manager, platform, 'asks_nothing');
    const own = ownSecurityCommand(manager, 'asks_nothing');
    if (upgrades === 'security' && own !== null && named.every(({ is_security }) => is_security)) return own;
  }
  return named.length === 0 ? null : namedCommand(manager, named, versions, platform.architecture);
}

function namedCommand(
  manager: PackageManager,
  packages: UpgradePlan['packages'],
  versions: PlanOptions['versions'],
  architecture: string,
): string | null {
  const specs = packages.map((one) => ({ ...one, version: one.to_version }));
  const named = namedUpgradeCommand(manager, specs, architecture, 'asks_nothing');
  return named === null ? null : versions === 'pinned' ? named.pinned : named.unpinned;
}

/** What closes the findings of a host that count and have a fix. Findings of pending and retired hosts count nowhere. */
function movableOf(
  counts: (finding: Finding) => boolean,
  assessed: LoadedAssessment | null,
  { package_manager: manager, left_out }: UpgradePlan,
  obstacle: Note['code'] | null,
  options: PlanOptions,
): Movable {
  const movable = new Map<string, { -readonly [Key in keyof MovableFindings]: MovableFindings[Key] }>();
  const blocked: Partial<Record<BlockReason, number>> = {};
  if (assessed === null || obstacle === 'pending_approval' || obstacle === 'retired') {
    return { movable: [], blocked };
  }
  const unsafe = new Set(left_out.filter(({ reason }) => reason === 'unsafe_name').map(({ name }) => name));
  const shown = selectFindings(assessed.assessment.findings, { includeUnfixed: false, includeHidden: false });
  const block = (reason: BlockReason): void => {
    blocked[reason] = (blocked[reason] ?? 0) + 1;
  };
  for (const finding of shown.filter(counts)) {
    const needs = needsOf(finding, { unsafe, isKernel: isOfKernel(finding, assessed.host) });
    if (typeof needs === 'string') block(needs);
    else if (obstacle !== null || manager === null) block('not_plannable');
    else if (needs.reboot && !options.reboot) block('no_reboot');
    else {
      const upgrade = needs.upgrade ? `${manager} ${finding.sourceName}` : null;
      const key = `${needs.reboot} ${upgrade ?? ''}`;
      const part = movable.get(key) ?? { upgrade, reboot: needs.reboot, findings: 0, urgent: 0 };
      movable.set(key, part);
      part.findings += 1;
      if (finding.severity === 'critical' || finding.knownExploited) part.urgent += 1;
    }
  }
  return { movable: [...movable.values()], blocked };
}

/** The moves that close every advisory of a finding that has a fix, or what is in the way of one of them. */
function needsOf(
  { name, advisories }: Finding,
  { unsafe, isKernel }: { readonly unsafe: ReadonlySet<string>; readonly isKernel: boolean },
): { readonly upgrade: boolean; readonly reboot: boolean } | BlockReason {
  const states = new Set<FixState>(
    advisories.flatMap(({ statement, fixState }) => (statement.fix.kind === 'fixed' ? [fixState] : [])),
  );
  const rest = fixStates.find((state) => states.has(state) && !closable.has(state));
  if (rest !== undefined && rest !== 'livepatched') return rest;
  const upgrade = states.has('installable');
  if (upgrade && unsafe.has(name)) return 'unsafe_name';
  const reboot = states.has('pending_reboot') || (upgrade && isKernel);
  return upgrade || reboot ? { upgrade, reboot } : 'livepatched';
}

const closable: ReadonlySet<FixState> = new Set(['installable', 'pending_reboot']);
