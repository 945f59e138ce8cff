import type { PackageFamily } from '@plimsoll/model';
import { TriState } from '@plimsoll/proto';
import type { ReportFacts } from '../section-registry.ts';
import type { RebootAnswer } from '../sections/reboot.ts';

/** Whether a reboot is due in the host's own word, and why if that is unknown. */
export interface RebootState {
  readonly rebootRequired: TriState;
  readonly rebootPackages: readonly string[];
  /** What a tool that gave no answer said; null if none was asked in vain. */
  readonly failure: string | null;
}

/** zypper(8): ZYPPER_EXIT_INF_REBOOT_NEEDED. */
const zypperRebootNeeded = 102;

/**
 * One sign for a reboot is enough. "No" needs a source that was read and says so: on apt the flag, which the
 * distribution's packages set; on rpm the answer of a tool, because nothing there sets the flag.
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

/** What follows where a host has no flag: `no` only where the packages of the family set it. */
const missingFlag: Readonly<Record<PackageFamily, Answer>> = { apt: 'no', rpm: 'unknown' };

function flagAnswer(flag: 'yes' | 'no' | null, family: PackageFamily): Answer {
  if (flag === 'yes') return 'yes';
  return flag === 'no' ? missingFlag[family] : 'unknown';
}

/** A missing plugin ends with 1, as a reboot that is due does: only the words tell. */
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

/** `  * kernel` of dnf, `  kernel -> 3.10.0-1160` of yum-utils. */
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
