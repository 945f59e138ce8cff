import type { Assessment } from '../host/assess-host.ts';
import type { Told } from './explanation.ts';
import type { AskedPackage } from './packages-asked.ts';
import type { HostPackage } from './question.ts';

/** The answer for a package that a rule exempts from findings; null for any other. */
export function noVerdict(
  { installed, judged: { version } }: AskedPackage<HostPackage>,
  assessment: Assessment,
): Told | null {
  const { verdict } = version;
  if (verdict.kind === 'excluded') {
    const why =
      verdict.reason === 'kernel_companion' || verdict.reason === 'kernel_metapackage'
        ? 'it comes with the kernel, and findings of the kernel are those of the one that runs'
        : String(verdict.reason).replaceAll('_', ' ');
    return { reason: 'excluded', detail: `${version.name} raises no findings of its own: ${why}.` };
  }
  const { kernel } = verdict;
  if (kernel !== null && !assessment.judged.has(installed.version.id)) {
    const { runningKernel, rebootReasons, installedKernels } = assessment.kernelPosture;
    const runs = installedKernels.some(
      (image) =>
        image.running &&
        (kernel.role === 'part'
          ? image.release === kernel.release
          : image.package === version.name && image.version === version.version),
    );
    if (rebootReasons.some(({ code }) => code === 'container')) {
      return {
        reason: 'kernel_not_running',
        detail: 'A container runs the kernel of its host, not this one.',
      };
    }
    if (runningKernel === null) {
      return { reason: 'no_verdict', detail: 'The host does not say which kernel runs.' };
    }
    if (!runs) {
      const detail = `${version.name} ${version.version} does not run, ${runningKernel} does; findings are those of the running kernel.`;
      return { reason: 'kernel_not_running', detail };
    }
  }
  if (verdict.kind !== 'unknown') return null;
  const why = `${verdict.reason.replaceAll('_', ' ')}${verdict.detail === '' ? '' : ` (${verdict.detail})`}`;
  return {
    reason: 'no_verdict',
    detail: `Nothing can be said of ${version.name} ${version.version}: ${why}.`,
  };
}
