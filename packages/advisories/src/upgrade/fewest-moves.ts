import { compareText } from '@plimsoll/model';

/** Findings of one host that the same moves close. */
export interface MovableFindings {
  /** The upgrade that they need: the same text on all hosts where it is one upgrade; null: they need none. */
  readonly upgrade: string | null;
  /** Whether they need a reboot of the host. */
  readonly reboot: boolean;
  readonly findings: number;
  /** Those of them that are critical or known to be exploited; they decide between equal moves. */
  readonly urgent: number;
}

/** A host and what closes its findings. */
export interface MovableHost {
  readonly hostId: string;
  readonly movable: readonly MovableFindings[];
  /** Findings that no move closes. */
  readonly blocked: number;
}

/** An upgrade on all hosts that need it, or a reboot of a host. */
export type Move =
  | {
      readonly kind: 'upgrade';
      readonly upgrade: string;
      /** Sorted. */
      readonly hosts: readonly string[];
      readonly closes: number;
      /** Findings that a chosen reboot closes only together with this upgrade. */
      readonly enables: number;
      readonly urgent: number;
    }
  | { readonly kind: 'reboot'; readonly hostId: string; readonly closes: number; readonly urgent: number };

/** The fewest moves that close a share of the findings. */
export interface FewestMoves {
  readonly findings: number;
  readonly closable: number;
  readonly target: number;
  /** `closable`: the share of all findings cannot be reached, so it is of those that can be closed. */
  readonly targetOf: 'all' | 'closable';
  readonly closed: number;
  /** Upgrades, then reboots; of each the most useful first. */
  readonly moves: readonly Move[];
  /** No smaller number of moves reaches the target. */
  readonly atLeast: number;
}

/** Up to this number of upgrades that need reboots, all combinations of them are tried. */
const mostCombined = 8;

/**
 * The smallest number of moves that closes at least `share` of all findings; of the choices with this number one that
 * closes the most, then the most urgent ones. The order of hosts does not matter.
 *
 * Every finding needs one upgrade, one reboot, or both. With the upgrades that need reboots (kernels) chosen, every
 * other move closes its findings independently of the others, so that the moves with the most findings are the best
 * choice. Trying all combinations of the few kernels therefore finds the optimum. With more than `mostCombined` kernels
 * only the first n of them, by findings, are tried for each n; `atLeast` is then the number of moves that would be
 * needed if kernel upgrades were free.
 */
export function fewestMoves(hosts: readonly MovableHost[], share: number): FewestMoves {
  const work = gather(hosts);
  const closable = work.total;
  const findings = closable + hosts.reduce((sum, { blocked }) => sum + blocked, 0);
  const ofAll = shareOf(findings, share);
  const targetOf = ofAll <= closable ? 'all' : 'closable';
  const target = targetOf === 'all' ? ofAll : shareOf(closable, share);
  const isExact = work.kernels.length <= mostCombined;
  let best: Choice = { upgrades: [], reboots: [], closed: 0, urgent: 0 };
  if (target > 0) {
    let found: Choice | null = null;
    for (const kernels of isExact ? subsets(work.kernels) : prefixes(work.kernels)) {
      const limit = found === null ? Number.POSITIVE_INFINITY : size(found);
      const choice = bestWith(work, kernels, { target, limit });
      if (choice !== null && (found === null || isBetter(choice, found))) found = choice;
    }
    if (found === null) throw new Error('all moves together close everything closable');
    best = found;
  }
  return {
    findings,
    closable,
    target,
    targetOf,
    closed: best.closed,
    moves: describe(best, work),
    atLeast: isExact ? size(best) : relaxedSize(work, target),
  };
}

/** The smallest whole number that is at least the share of all; rounding errors of the product do not add one. */
function shareOf(all: number, share: number): number {
  return Math.max(0, Math.ceil(share * all - 1e-9));
}

/** Findings, and those of them that are urgent. */
interface Sum {
  findings: number;
  urgent: number;
}

interface UpgradeWork {
  readonly name: string;
  readonly hosts: Set<string>;
  readonly alone: Sum;
  /** What it closes together with the reboot of a host. */
  readonly withReboot: Map<string, Sum>;
}

interface Work {
  readonly total: number;
  /** Upgrades that need no reboot for what they close, by name. */
  readonly plain: readonly UpgradeWork[];
  /** Those that need reboots; those with the most findings first. */
  readonly kernels: readonly UpgradeWork[];
  /** What the reboot of each host closes by itself. */
  readonly reboots: ReadonlyMap<string, Sum>;
}

interface Choice {
  readonly upgrades: readonly UpgradeWork[];
  readonly reboots: readonly { readonly hostId: string; readonly sum: Sum }[];
  readonly closed: number;
  readonly urgent: number;
}

function gather(hosts: readonly MovableHost[]): Work {
  const upgrades = new Map<string, UpgradeWork>();
  const reboots = new Map<string, Sum>();
  let total = 0;
  for (const { hostId, movable } of hosts) {
    for (const part of movable) {
      if (part.findings === 0 || (part.upgrade === null && !part.reboot)) continue;
      total += part.findings;
      if (part.reboot && !reboots.has(hostId)) reboots.set(hostId, nothing());
      if (part.upgrade === null) {
        add(reboots.get(hostId), part);
        continue;
      }
      const work = upgrades.get(part.upgrade) ?? {
        name: part.upgrade,
        hosts: new Set<string>(),
        alone: nothing(),
        withReboot: new Map<string, Sum>(),
      };
      upgrades.set(part.upgrade, work);
      work.hosts.add(hostId);
      if (part.reboot) {
        const sum = work.withReboot.get(hostId) ?? nothing();
        work.withReboot.set(hostId, sum);
        add(sum, part);
      } else add(work.alone, part);
    }
  }
  const all = [...upgrades.values()].sort((a, b) => compareText(a.name, b.name));
  const needsReboot = ({ withReboot }: UpgradeWork): boolean => withReboot.size > 0;
  return {
    total,
    plain: all.filter((each) => !needsReboot(each)),
    kernels: all.filter(needsReboot).sort((a, b) => potential(b) - potential(a)),
    reboots,
  };
}

function nothing(): Sum {
  return { findings: 0, urgent: 0 };
}

function add(sum: Sum | undefined, { findings, urgent }: Readonly<Sum>): void {
  if (sum === undefined) return;
  sum.findings += findings;
  sum.urgent += urgent;
}

function potential({ alone, withReboot }: UpgradeWork): number {
  return [...withReboot.values()].reduce((sum, { findings }) => sum + findings, alone.findings);
}

function* subsets(all: readonly UpgradeWork[]): Iterable<readonly UpgradeWork[]> {
  for (let bits = 0; bits < 2 ** all.length; bits++) yield all.filter((_, n) => (bits & (1 << n)) !== 0);
}

function* prefixes(all: readonly UpgradeWork[]): Iterable<readonly UpgradeWork[]> {
  for (let n = 0; n <= all.length; n++) yield all.slice(0, n);
}

/** What each reboot closes after these upgrades, those that close the most first. */
function rebootsAfter({ reboots }: Work, kernels: readonly UpgradeWork[]) {
  const sums = [...reboots].map(([hostId, own]) => {
    const sum = { ...own };
    for (const { withReboot } of kernels) {
      const more = withReboot.get(hostId);
      if (more !== undefined) add(sum, more);
    }
    return { hostId, sum };
  });
  return sums.filter(({ sum }) => sum.findings > 0);
}

/** The fewest moves with exactly these kernels; null if they do not reach the target within `limit` moves. */
function bestWith(
  work: Work,
  kernels: readonly UpgradeWork[],
  { target, limit }: { readonly target: number; readonly limit: number },
): Choice | null {
  const upgrades = [...kernels];
  const reboots: { readonly hostId: string; readonly sum: Sum }[] = [];
  const closed = nothing();
  for (const { alone } of kernels) add(closed, alone);
  const candidates = [
    ...work.plain.map((upgrade) => ({ sum: upgrade.alone, name: upgrade.name, upgrade, hostId: null })),
    ...rebootsAfter(work, kernels).map(({ hostId, sum }) => ({ sum, name: hostId, upgrade: null, hostId })),
  ].sort(
    (a, b) =>
      b.sum.findings - a.sum.findings ||
      b.sum.urgent - a.sum.urgent ||
      Number(a.upgrade === null) - Number(b.upgrade === null) ||
      compareText(a.name, b.name),
  );
  for (const { sum, upgrade, hostId } of candidates) {
    if (closed.findings >= target) break;
    if (upgrades.length + reboots.length >= limit) return null;
    if (upgrade !== null) upgrades.push(upgrade);
    else if (hostId !== null) reboots.push({ hostId, sum });
    add(closed, sum);
  }
  if (closed.findings < target || upgrades.length + reboots.length > limit) return null;
  return { upgrades, reboots, closed: closed.findings, urgent: closed.urgent };
}

function size({ upgrades, reboots }: Choice): number {
  return upgrades.length + reboots.length;
}

function isBetter(a: Choice, b: Choice): boolean {
  if (size(a) !== size(b)) return size(a) < size(b);
  if (a.closed !== b.closed) return a.closed > b.closed;
  if (a.urgent !== b.urgent) return a.urgent > b.urgent;
  return a.reboots.length < b.reboots.length;
}

/** The number of moves that would reach the target if kernel upgrades were free: a lower bound. */
function relaxedSize(work: Work, target: number): number {
  let open = target - work.kernels.reduce((sum, { alone }) => sum + alone.findings, 0);
  const sums = [
    ...work.plain.map(({ alone }) => alone.findings),
    ...rebootsAfter(work, work.kernels).map(({ sum }) => sum.findings),
  ].sort((a, b) => b - a);
  let moves = 0;
  for (const findings of sums) {
    if (open <= 0) break;
    open -= findings;
    moves++;
  }
  return moves;
}

function describe({ upgrades, reboots }: Choice, { kernels }: Work): readonly Move[] {
  const rebooted = new Set(reboots.map(({ hostId }) => hostId));
  const isKernel = new Set(kernels);
  const upgradeMoves = upgrades.map((upgrade) => {
    const { name, hosts, alone, withReboot } = upgrade;
    const enabled = nothing();
    if (isKernel.has(upgrade)) {
      for (const [hostId, sum] of withReboot) if (rebooted.has(hostId)) add(enabled, sum);
    }
    return {
      kind: 'upgrade',
      upgrade: name,
      hosts: [...hosts].sort(compareText),
      closes: alone.findings,
      enables: enabled.findings,
      urgent: alone.urgent + enabled.urgent,
    } as const;
  });
  const rebootMoves = reboots.map(
    ({ hostId, sum }) => ({ kind: 'reboot', hostId, closes: sum.findings, urgent: sum.urgent }) as const,
  );
  return [
    ...upgradeMoves.sort(
      (a, b) =>
        b.closes + b.enables - (a.closes + a.enables) ||
        b.urgent - a.urgent ||
        compareText(a.upgrade, b.upgrade),
    ),
    ...rebootMoves.sort(
      (a, b) => b.closes - a.closes || b.urgent - a.urgent || compareText(a.hostId, b.hostId),
    ),
  ];
}
