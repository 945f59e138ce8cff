import type { LoadedAssessment } from '../hosts/find-host.ts';

/** The open advisories of a host for which a rule of the due dates asks for forensics: external ids, sorted. */
export function forensicsFirst({ assessment }: LoadedAssessment): string[] {
  const found = assessment.findings.flatMap(({ advisories }) =>
    advisories.flatMap(({ statement, due }) => (due?.forensics === true ? [statement.externalId] : [])),
  );
  return [...new Set(found)].sort();
}
