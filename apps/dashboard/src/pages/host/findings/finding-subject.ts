import type { HostDetail, VulnerablePackage } from '@plimsoll/contract';
import type { WaiverSubject } from '../../waivers/new/waiver-subject.ts';

type Finding = Pick<VulnerablePackage, 'source_name' | 'advisories'>;

/** What can be accepted of findings of a host: their advisories that are not waived yet, the CVEs, or the packages. */
export function subjectOfFindings(
  { id, display_name, tags }: Pick<HostDetail, 'id' | 'display_name' | 'tags'>,
  findings: readonly Finding[],
): WaiverSubject {
  const open = findings.flatMap(({ advisories }) => advisories.filter(({ waiver }) => waiver === undefined));
  return {
    advisories: distinct(open.map((advisory) => advisory.id)),
    cves: distinct(open.flatMap(({ cves }) => cves.map((cve) => cve.id))),
    packages: open.length === 0 ? [] : distinct(findings.map(({ source_name }) => source_name)),
    hosts: [{ id, name: display_name }],
    tags,
  };
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
