import type { HostFacts } from './host-facts.ts';
import type { HostKernels } from './host-kernels.ts';

/** What is missing to know whether a host needs a reboot, in sentences. Only for hosts of which it is not known. */
export function whyRebootIsUnknown({ running, runningIsLatest }: HostKernels, facts: HostFacts): string {
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
    ? 'No installed package is that of the running kernel.'
    : 'The running kernel cannot be compared with the installed ones.';
}
