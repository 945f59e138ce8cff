import type { PackageFamily } from '@plimsoll/model';
import { TriState } from '@plimsoll/proto';
import type { ReportFacts } from '../section-registry.ts';
import type { RebootAnswer } from '../sections/reboot.ts';

/** Whether the host reports that a reboot is due, and why if that is unknown. */
export interface RebootState {
  readonly rebootRequired: TriState;
  readonly rebootPackages: readonly string[];
  /** The output of a tool that gave no answer; null if no tool failed to answer. */
  readonly failure: string | null;
}

/** zypper(8): ZYPPER_EXIT_INF_REBOOT_NEEDED. */
const zypperRebootNeeded = 102;

/**
 * One sign is enough for "yes". "No" needs a readable source: on apt the flag, which the distribution's packages set;
 * on rpm the answer of a tool, because no package sets the flag there.
 */
export function rebootState(family: PackageFamily, { reboot, needrestart }: ReportFacts): RebootState {
  const answers = [
    reboot === null ? 'unknown' : flagAnswer(reboot.flag, family),
    needsRestartingAnswer(reboot?.needsRestarting ?? null),
    needsRebootingAnswer(reboot?.needsRebooting ?? null),
    needrestart?.kernel === 'pending' ? 'yes' : 'unknown',
  ];
  const isDue = answers.includes('yes');
  return {
    rebootRequired: isDue ? TriState.YES : answers.includes('no') ? TriState.NO : TriState.UNSPECIFIED,
    rebootPackages: [
      ...(reboot?.packages ?? []),
      ...(isDue ? packagesIn(reboot?.needsRestarting ?? null) : []),
    ],
    failure: isDue || answers.includes('no') ? null : vainAnswer(reboot?.needsRestarting ?? null),
  };
}

type Answer = 'yes' | 'no' | 'unknown';

/** The answer on a host without a flag: `no` only if the family's packages set the flag. */
const missingFlag: Readonly<Record<PackageFamily, Answer>> = { apt: 'no', rpm: 'unknown' };

function flagAnswer(flag: 'yes' | 'no' | null, family: PackageFamily): Answer {
  if (flag === 'yes') return 'yes';
  return flag === 'no' ? missingFlag[family] : 'unknown';
}

/** A missing plugin also exits with 1; only the output distinguishes it from a due reboot. */
function needsRestartingAnswer(answer: RebootAnswer | null): Answer {
  if (answer === null) return 'unknown';
  if (answer.exit === 0) return 'no';
  return answer.exit === 1 && answer.says.some((line) => /reboot is required/i.test(line))
    ? 'yes'
    : 'unknown';
}

function needsRebootingAnswer(answer: RebootAnswer | null): Answer {
  if (answer?.exit === zypperRebootNeeded) return 'yes';
  return answer?.exit === 0 ? 'no' : 'unknown';
}

const listedPackage = /^ +(?:\* (\S+)|(\S+) -> \S+)/;

/** `  * kernel` from dnf, `  kernel -> 3.10.0-1160` from yum-utils. */
function packagesIn(answer: RebootAnswer | null): readonly string[] {
  return (answer?.says ?? []).flatMap((line) => {
    const [, dnfName, yumName] = listedPackage.exec(line) ?? [];
    return dnfName ?? yumName ?? [];
  });
}

function vainAnswer(answer: RebootAnswer | null): string | null {
  if (answer === null) return null;
  return [`needs-restarting ended with ${answer.exit}`, ...answer.says.slice(0, 2)].join(': ');
}
