import type { DueState, ServiceToRestart } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import type { HostFacts } from './host-facts.ts';
import type { HostKernel, HostKernels } from './host-kernels.ts';

/** A host's kernels, and the reboots or restarts that installed fixes need (HTTP contract, KernelPosture). */
export interface KernelPosture {
  /** `uname -r`; null if unknown. */
  readonly runningKernel: string | null;
  /** A kernel of the running flavour, if one is installed. */
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

/** Why a reboot is needed, or `container` if the question does not apply. */
export interface RebootReason {
  readonly code:
    | 'container'
    | 'newer_kernel_installed'
    | 'running_kernel_replaced'
    | 'core_package_updated'
    | 'reboot_required_flag';
  readonly detail: string;
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
    servicesToRestart: [...facts.services.toRestart].sort((a, b) => compareText(a.name, b.name)),
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

function latestOf({ running, installed }: HostKernels): HostKernel | undefined {
  const like = running.kind === 'none' ? null : running.kind === 'removed' ? running.like : running.image;
  return installed.find(({ flavour }) => like === null || flavour === like.flavour);
}

function rebootReasonsOf({ running, newer }: HostKernels, facts: HostFacts): readonly RebootReason[] {
  const { kernel } = facts;
  if (running.kind === 'none' && running.reason === 'container') {
    return [{ code: 'container', detail: 'a container runs the kernel of its host' }];
  }
  const reasons: RebootReason[] = [];
  const replaced = running.kind === 'replaced' ? running.image : null;
  const newest = newer.find((other) => other !== replaced);
  if (newest !== undefined) {
    const name = newest.name === '' ? newest.release : `${newest.name} ${newest.version}`;
    const detail = `${name} is installed, ${kernel.runningRelease} runs`;
    reasons.push({ code: 'newer_kernel_installed', detail });
  }
  if (running.kind === 'replaced') {
    const { name, version } = running.image;
    reasons.push({
      code: 'running_kernel_replaced',
      detail: `${name} ${version} is installed, ${running.version} of it runs`,
    });
  }
  reasons.push(...coreReasons(facts));
  if (kernel.rebootRequired === 'yes') {
    reasons.push({
      code: 'reboot_required_flag',
      detail: [...kernel.rebootPackages].sort(compareText).join(', '),
    });
  }
  return reasons;
}

/**
 * Core packages updated since boot, one reason per name. The host's own "no" takes precedence: on rpm it comes from
 * needs-restarting(1), which checks the same packages and knows the host's clock.
 */
function coreReasons({ coreUpdates, kernel, bootedAt }: HostFacts): readonly RebootReason[] {
  if (kernel.rebootRequired === 'no') return [];
  const versions = new Map(coreUpdates.map(({ name, version }) => [name, version]));
  const since = bootedAt === null ? '' : `, ${bootedAt.toISOString()}`;
  return [...versions]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, version]) => ({
      code: 'core_package_updated',
      detail: `${name} ${version} was installed after the host booted${since}`,
    }));
}

function rebootStateOf(reasons: readonly RebootReason[], kernels: HostKernels, facts: HostFacts): DueState {
  if (reasons.length > 0) return reasons[0]?.code === 'container' ? 'not_needed' : 'needed';
  const told = facts.kernel.rebootRequired === 'no' && !hasFailed(facts, kernelSection);
  return told && kernels.runningIsLatest === true ? 'not_needed' : 'unknown';
}

function restartStateOf(facts: HostFacts): DueState {
  const { restartRequired, toRestart } = facts.services;
  if (toRestart.length > 0 || restartRequired === 'yes') return 'needed';
  return restartRequired === 'no' && !hasFailed(facts, servicesSection) ? 'not_needed' : 'unknown';
}

function hasFailed({ failures }: HostFacts, section: string): boolean {
  return failures.some((failure) => failure.section === section);
}

/** What is missing to know whether a host needs a reboot, in sentences. Only for hosts of which it is not known. */
function whyRebootIsUnknown({ running, runningIsLatest }: HostKernels, facts: HostFacts): string {
  const { kernel, failures } = facts;
  const sentences: string[] = [];
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
