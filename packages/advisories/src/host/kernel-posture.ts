import type { DueState, RebootAnswer, RebootSource, ServiceToRestart } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import { isContainer } from '../kernel/running-kernel.ts';
import type { HostFacts } from './host-facts.ts';
import type { HostKernel, HostKernels } from './host-kernels.ts';

/** A host's kernels, and the reboots or restarts that installed fixes need (HTTP contract, KernelPosture). */
export interface KernelPosture {
  /** `uname -r`; null if unknown. */
  readonly runningKernel: string | null;
  /** A kernel of the running flavour, if one is installed as a whole. */
  readonly latestInstalledKernel: string | null;
  readonly runningIsLatest: boolean | null;
  /** The newest first. */
  readonly installedKernels: readonly ListedKernel[];
  readonly rebootState: DueState;
  readonly rebootReasons: readonly RebootReason[];
  /** What is missing to know whether a reboot is needed, in sentences; null if it is known. */
  readonly rebootUnknown: string | null;
  readonly bootedAt: Date | null;
  /** Sorted by name. */
  readonly servicesToRestart: readonly ServiceToRestart[];
  readonly restartState: DueState;
}

/** An installed kernel in a KernelPosture. */
export interface ListedKernel {
  readonly package: string;
  readonly version: string;
  readonly release: string;
  readonly running: boolean;
}

/** Why a reboot is needed, or `container` if the question does not apply; and where that comes from. */
export interface RebootReason {
  readonly code:
    | 'container'
    | 'newer_kernel_installed'
    | 'running_kernel_replaced'
    | 'core_package_updated'
    | 'reboot_required_flag'
    | 'reboot_required_by_tool';
  readonly detail: string;
  /** The host's own answer, or what is compared here. */
  readonly source: RebootSource | 'kernel' | 'core_package';
}

/** Names of the sections whose failure makes their facts unknown. */
const kernelSection = 'kernel';
const servicesSection = 'services';

/** Derives the kernel and service state of a host. Missing facts make a state unknown, never "not needed". */
export function kernelPostureOf(kernels: HostKernels, facts: HostFacts): KernelPosture {
  const { installed } = kernels;
  const { runningRelease } = facts.kernel;
  const rebootReasons = rebootReasonsOf(kernels, facts);
  const due = dueStatesOf(kernels, facts);
  return {
    runningKernel: runningRelease === '' ? null : runningRelease,
    latestInstalledKernel: latestOf(kernels)?.release ?? null,
    runningIsLatest: kernels.runningIsLatest,
    installedKernels: installed.map((kernel) => ({
      package: kernel.name,
      version: kernel.version,
      release: kernel.release,
      running: isRunning(kernel, kernels, facts),
    })),
    rebootReasons,
    rebootUnknown: due.rebootState === 'unknown' ? whyRebootIsUnknown(kernels, facts) : null,
    bootedAt: facts.bootedAt,
    servicesToRestart: [...servicesDueOf(facts)].sort((a, b) => compareText(a.name, b.name)),
    ...due,
  };
}

/** Whether a host needs a reboot, or restarts of services. */
export function dueStatesOf(
  kernels: HostKernels,
  facts: HostFacts,
): Pick<KernelPosture, 'rebootState' | 'restartState'> {
  const reasons = rebootReasonsOf(kernels, facts);
  return { rebootState: rebootStateOf(reasons, kernels, facts), restartState: restartStateOf(facts) };
}

function isRunning(kernel: HostKernel, { running }: HostKernels, facts: HostFacts): boolean {
  if (running.kind === 'installed') return kernel === running.image;
  // A kernel without an installed package can still appear in the host's own list.
  const outside = running.kind === 'none' && running.reason !== 'container';
  return outside && kernel.summary === null && kernel.release === facts.kernel.runningRelease;
}

function latestOf({ running, installed, newer, unfinished }: HostKernels): HostKernel | undefined {
  const like = running.kind === 'none' ? null : running.kind === 'removed' ? running.like : running.image;
  const begun = new Set(unfinished);
  const isLike = ({ flavour }: HostKernel): boolean => like === null || flavour === like.flavour;
  return newer[0] ?? installed.find((kernel) => !begun.has(kernel) && isLike(kernel));
}

function rebootReasonsOf(kernels: HostKernels, facts: HostFacts): readonly RebootReason[] {
  const { running, newer, unfinished } = kernels;
  const { kernel } = facts;
  if (isContainer(facts.virtualization)) {
    return [{ code: 'container', detail: 'a container runs the kernel of its host', source: 'kernel' }];
  }
  const reasons: RebootReason[] = [];
  const replaced = running.kind === 'replaced' ? running.image : null;
  const newest = newer.find((other) => other !== replaced);
  if (newest !== undefined && !bootsTheSame(kernels, facts)) {
    const name = newest.name === '' ? newest.release : `${newest.name} ${newest.version}`;
    const detail = `${name} is installed, ${kernel.runningRelease} runs`;
    reasons.push({ code: 'newer_kernel_installed', detail, source: 'kernel' });
  }
  if (running.kind === 'replaced' && !unfinished.includes(running.image)) {
    const { name, version } = running.image;
    const detail = `${name} ${version} is installed, ${running.version} of it runs`;
    reasons.push({ code: 'running_kernel_replaced', detail, source: 'kernel' });
  }
  reasons.push(...coreReasons(facts));
  for (const { source, due, detail } of answersOf(facts)) {
    if (due !== 'yes' || (source === 'needrestart' && bootsTheSame(kernels, facts))) continue;
    reasons.push({
      code: source === 'flag' ? 'reboot_required_flag' : 'reboot_required_by_tool',
      detail,
      source,
    });
  }
  return reasons;
}

/** Whether the boot loader starts the running build again, although others are newer: an operator pinned it. */
function bootsTheSame({ newer, runningIsLatest }: HostKernels, { kernel }: HostFacts): boolean {
  const { pinnedRelease, runningRelease } = kernel;
  const isOther = newer.length > 0 && newer.every(({ release }) => release !== runningRelease);
  return runningIsLatest === false && isOther && pinnedRelease === runningRelease;
}

/** What the host itself says. Reports that do not tell its sources apart say it as their flag. */
function answersOf({ kernel }: HostFacts): readonly RebootAnswer[] {
  const { rebootAnswers, rebootRequired, rebootPackages } = kernel;
  if (rebootAnswers !== undefined || rebootRequired === 'unknown') return rebootAnswers ?? [];
  return [{ source: 'flag', due: rebootRequired, detail: [...rebootPackages].sort(compareText).join(', ') }];
}

/** Core packages whose files run since the boot in any process: a "no" of a tool cannot be right beside a newer one. */
const everyProcess: ReadonlySet<string> = new Set(['glibc', 'systemd']);

/**
 * Core packages updated since boot, one reason per name. The host's own "no" takes precedence, except about those that
 * every process runs: on rpm it comes from needs-restarting(1), which checks the same packages, but goes by a clock that
 * can be wrong.
 */
function coreReasons({ coreUpdates, kernel, bootedAt }: HostFacts): readonly RebootReason[] {
  const isDenied = kernel.rebootRequired === 'no';
  const counted = coreUpdates.filter(({ name }) => !isDenied || everyProcess.has(name));
  const versions = new Map(counted.map(({ name, version }) => [name, version]));
  const since = bootedAt === null ? '' : `, ${bootedAt.toISOString()}`;
  return [...versions]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, version]) => ({
      code: 'core_package_updated',
      detail: `${name} ${version} was installed after the host booted${since}`,
      source: 'core_package',
    }));
}

/** Whether all that calls for a reboot is a core package, and a tool of the host says that none is needed. */
function isContradicted(reasons: readonly RebootReason[], { kernel }: HostFacts): boolean {
  return kernel.rebootRequired === 'no' && reasons.every(({ source }) => source === 'core_package');
}

function rebootStateOf(reasons: readonly RebootReason[], kernels: HostKernels, facts: HostFacts): DueState {
  if (reasons.length > 0) {
    if (reasons[0]?.code === 'container') return 'not_needed';
    return isContradicted(reasons, facts) ? 'unknown' : 'needed';
  }
  const { rebootRequired } = facts.kernel;
  const isPinned = bootsTheSame(kernels, facts);
  // `yes` without a reason: nothing but needrestart asked for it.
  const told = rebootRequired === 'no' || (rebootRequired === 'yes' && isPinned);
  const isLatest = kernels.runningIsLatest === true || isPinned;
  return told && !hasFailed(facts, kernelSection) && isLatest ? 'not_needed' : 'unknown';
}

/** Packages that do not run in a container. */
const ofItsHost = /^(?:linux-|kernel|proxmox-kernel|pve-kernel)|firmware|microcode/;

/** The services to restart; the container itself, if its own packages ask for a boot. */
export function servicesDueOf(facts: HostFacts): readonly ServiceToRestart[] {
  const { toRestart } = facts.services;
  if (!isContainer(facts.virtualization)) return toRestart;
  const asks = answersOf(facts).find(
    ({ source, due, detail }) =>
      source !== 'needrestart' &&
      due === 'yes' &&
      (detail === '' || detail.split(', ').some((name) => !ofItsHost.test(name))),
  );
  if (asks === undefined) return toRestart;
  const reason =
    asks.detail === '' ? 'it says that it has to be restarted' : `${asks.detail} changed since it started`;
  return [...toRestart, { name: 'container', reason }];
}

function restartStateOf(facts: HostFacts): DueState {
  const { restartRequired } = facts.services;
  if (servicesDueOf(facts).length > 0 || restartRequired === 'yes') return 'needed';
  return restartRequired === 'no' && !hasFailed(facts, servicesSection) ? 'not_needed' : 'unknown';
}

function hasFailed({ failures }: HostFacts, section: string): boolean {
  return failures.some((failure) => failure.section === section);
}

/** What is missing to know whether a host needs a reboot, in sentences. Only for hosts of which it is not known. */
function whyRebootIsUnknown({ running, runningIsLatest }: HostKernels, facts: HostFacts): string {
  const { kernel, failures } = facts;
  const sentences: string[] = [];
  for (const { detail } of coreReasons(facts))
    sentences.push(`The host says that it needs none, but ${detail}.`);
  if (failures.some(({ section }) => section === 'kernel')) {
    sentences.push('The host could not read its kernels for the report.');
  } else if (kernel.rebootRequired === 'unknown') {
    sentences.push('The host did not state whether it needs a reboot.');
  }
  if (runningIsLatest === null) sentences.push(comparisonSentence(running.kind, kernel.runningRelease));
  return sentences.length === 0 ? 'The report does not have all that it depends on.' : sentences.join(' ');
}

function comparisonSentence(kind: HostKernels['running']['kind'], release: string): string {
  if (release === '') return 'It did not report which kernel runs.';
  return kind === 'none'
    ? 'The running kernel is not among the installed ones, and none of them is a newer one of its kind.'
    : 'The running kernel cannot be compared with the installed ones.';
}
