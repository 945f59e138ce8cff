import { kernelLine, type PackageFamily, type RebootSource } from '@plimsoll/model';
import { TriState } from '@plimsoll/proto';
import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { ReportFacts } from '../section-registry.ts';
import type { NeedrestartFacts } from '../sections/needrestart.ts';
import type { RebootAnswer } from '../sections/reboot.ts';
import { aptKernels } from './apt-kernels.ts';

/** Whether the host reports that a reboot is due, and why if that is unknown. */
export interface RebootState {
  readonly rebootRequired: TriState;
  readonly rebootPackages: readonly string[];
  /** The sources with an answer. */
  readonly rebootAnswers: NonNullable<SnapshotFields['kernel']>['rebootAnswers'];
  /** The output of a tool that gave no answer; null if no tool failed to answer. */
  readonly failure: string | null;
}

/** zypper(8): ZYPPER_EXIT_INF_REBOOT_NEEDED. */
const zypperRebootNeeded = 102;

/**
 * One sign is enough for "yes". "No" needs a readable source: on apt the flag, which the distribution's packages set;
 * on rpm the answer of a tool, because no package sets the flag there.
 */
export function rebootState(family: PackageFamily, facts: ReportFacts): RebootState {
  const { reboot, needrestart } = facts;
  const restarting = reboot?.needsRestarting ?? null;
  const tool = needsRestartingAnswer(restarting);
  const named = tool === 'yes' ? packagesIn(restarting) : [];
  const flagged = reboot?.packages ?? [];
  const expected = needrestart === null ? null : expectedKernel(needrestart, facts);
  const answers: readonly (readonly [RebootSource, Answer, string])[] = [
    ['flag', reboot === null ? 'unknown' : flagAnswer(reboot.flag, family), flagged.join(', ')],
    ['needs_restarting', tool, named.join(', ')],
    ['needs_restarting', needsRebootingAnswer(reboot?.needsRebooting ?? null), ''],
    ['needrestart', expected === null ? 'unknown' : 'yes', expected ?? ''],
  ];
  const due = answers.map(([, answer]) => answer);
  const isDue = due.includes('yes');
  const isAnswered = isDue || due.includes('no');
  return {
    rebootRequired: isDue ? TriState.YES : isAnswered ? TriState.NO : TriState.UNSPECIFIED,
    rebootPackages: [...flagged, ...named],
    rebootAnswers: answers.flatMap(([source, answer, detail]) =>
      answer === 'unknown' ? [] : [{ source, due: answer === 'yes' ? TriState.YES : TriState.NO, detail }],
    ),
    failure: isAnswered ? null : vainAnswer(restarting),
  };
}

/** A `uname -r` as version and flavour, which begins with a letter: `6.6.51+rpt` and `rpi-v6`, `4.14.98` of `4.14.98+`. */
const versionAndFlavour = /^(.*?)\+?(?:-(?=[A-Za-z])(.*)|$)/;

/**
 * What needrestart says of a pending kernel; null if none is pending. It takes the highest name in /boot, which can be
 * the running version in another flavour, such as for another board. A flavour that has the number of the build is another build.
 * Of two builds of one release it compares texts that it finds in the image, which need not be the image's own.
 */
function expectedKernel({ kernel, running, expected }: NeedrestartFacts, facts: ReportFacts): string | null {
  if (kernel !== 'pending') return null;
  if (expected !== '' && expected === running)
    return runsInstalledBuild(facts, running) ? null : `another build of ${expected} is expected`;
  const [, one = '', mine = ''] = versionAndFlavour.exec(running) ?? [];
  const [, other = '', its = ''] = versionAndFlavour.exec(expected) ?? [];
  if (one === other && one !== '' && kernelLine(mine) !== kernelLine(its)) return null;
  return expected === '' ? 'a newer kernel is pending' : `${expected} is expected, ${running} runs`;
}

/** Whether the kernel itself states the version of its package, or the end of it: `6.1.128-1`, `#0~20240502.g3a72e1b`. */
function runsInstalledBuild({ kernel, dpkg }: ReportFacts, release: string): boolean {
  const stated = (kernel?.version ?? '').split(/[\s#]+/).filter((word) => /\d\D+\d/.test(word));
  const builds = aptKernels(dpkg ?? []).filter(({ releases }) => releases.includes(release));
  return builds.some(({ version }) =>
    stated.some((word) => version === word || version.endsWith(`-${word}`)),
  );
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
