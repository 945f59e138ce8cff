import { type AssessedHost, readAssessedHost } from './assess-host.ts';
import { compareFindings, type Finding, findingOf } from './finding.ts';
import type { AssessedPackage } from './host-facts.ts';
import type { HostKernels } from './host-kernels.ts';
import { summariseUnder } from './package-summary.ts';

/**
 * The kernel companions of a host with open advisories, in the order and form of findings: packages that are
 * built from the kernel's source and move with it (kernel-tools, linux-headers). The findings of the running
 * kernel cover them, so no count includes them; other tools list them. Each has the note `moves_with_kernel`.
 * `companions` have the verdict of classifyCompanion and the statements that affect them.
 */
export function companionsOf(host: AssessedHost, companions: readonly AssessedPackage[]): readonly Finding[] {
  if (companions.length === 0) return [];
  const { reading } = readAssessedHost(host);
  const detail = kernelWords(reading.kernels);
  return companions
    .flatMap((companion): readonly Finding[] => {
      const summary = summariseUnder(host.facts.waivers, companion);
      const row = { subject: summary, installed: summary, isKernel: false };
      const finding = findingOf(row, companion, companion, reading);
      if (finding === null) return [];
      const notes = [...finding.evidence.notes, { code: 'moves_with_kernel' as const, detail }];
      return [{ ...finding, evidence: { ...finding.evidence, notes } }];
    })
    .sort(compareFindings);
}

/** The kernel whose findings cover the companions. */
function kernelWords({ running, judged }: HostKernels): string {
  if (judged === null) return 'no kernel of this host is checked; only its own advisories are listed';
  const { name, version } = running.kind === 'installed' ? running.image : judged;
  return `built from the kernel’s source; ${name} ${version} is checked, and counts in its place`;
}
