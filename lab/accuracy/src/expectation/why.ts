import { allFindings, type Evaluation } from '../evaluation.ts';
import type { ListedPair } from './listed-pair.ts';

/** Why a line is missing in our answer. */
export function whyMissing({ id, package: name }: ListedPair, evaluation: Evaluation): string {
  const installed = evaluation.packages.filter(({ version }) => version.name === name);
  if (installed.length === 0) return 'not_installed';
  const reasons = installed.map(({ version }): string => {
    const { verdict } = version;
    if (verdict.kind !== 'comparable') return `${verdict.kind}: ${verdict.reason}`;
    const about = evaluation
      .explain(version)
      .filter(({ statement: { externalId, cves } }) => externalId === id || cves.includes(id));
    if (about.length === 0) return 'not_listed';
    const affecting = about.find(({ judgement }) => judgement === 'affected');
    if (affecting !== undefined) return verdict.kernel === null ? 'listed_otherwise' : 'kernel_not_running';
    const [first] = about;
    const fix = first?.statement.fix;
    return `${first?.judgement}${fix?.kind === 'fixed' ? `: ${fix.version}` : ''}`;
  });
  return [...new Set(reasons)].join(', ');
}

/** Why a line is in our answer. */
export function whyFound({ id, package: name }: ListedPair, evaluation: Evaluation): string {
  for (const finding of allFindings(evaluation)) {
    if (finding.name !== name) continue;
    for (const { statement } of finding.advisories) {
      if (statement.externalId !== id && !statement.cves.includes(id)) continue;
      const { fix, externalId } = statement;
      const compared = finding.evidence.comparedVersion;
      return fix.kind === 'fixed'
        ? `affected: ${compared} < ${fix.version} (${externalId})`
        : `unfixed: ${fix.reason} (${externalId})`;
    }
  }
  return 'affected';
}
