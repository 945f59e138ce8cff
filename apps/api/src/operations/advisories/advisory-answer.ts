import type { Advisory, AdvisoryDetail } from '@plimsoll/contract';
import type {
  AdvisoryInFull,
  AdvisoryRecord,
  AffectedHostCounts,
  CveFacts,
  StatedPackage,
} from '@plimsoll/db';
import { compareSeverity, type Severity } from '@plimsoll/model';
import { workaroundAnswer } from '../packages/workaround-answer.ts';

/** A record as in lists. */
export function advisoryAnswer(record: AdvisoryRecord, affected: AffectedHostCounts | null): Advisory {
  return {
    id: record.externalId,
    ...recordAnswer(record),
    releases: [...record.releases],
    known_exploited: record.knownExploited,
    epss: record.epss,
    affected_hosts: affected === null ? null : countsAnswer(affected),
  };
}

/** All records with one id. */
export function advisoryDetailAnswer(
  id: string,
  { records, packages, affected, unknownHosts }: AdvisoryInFull & { readonly unknownHosts: number },
  facts: ReadonlyMap<string, CveFacts>,
): AdvisoryDetail {
  const cves = [...new Set(records.flatMap((record) => record.cves))].sort();
  return {
    id,
    known_exploited: records.some(({ knownExploited }) => knownExploited),
    epss: records.reduce<number | null>((highest, { epss }) => higher(highest, epss), null),
    cves: cves.map((cve) => ({ id: cve, ...cveFactsAnswer(facts.get(cve)) })),
    affected_hosts: countsAnswer(affected),
    unknown_hosts: unknownHosts,
    records: records.map((record) => ({
      ...recordAnswer(record),
      cvss: record.cvss?.score ?? null,
      cvss_vector: record.cvss?.vector ?? null,
      workarounds: record.workarounds.map((one) => workaroundAnswer(one, record.url)),
      packages: packages.filter(({ advisory }) => advisory === record.key).map(packageAnswer),
    })),
  };
}

/** CISA's and EPSS's facts about a CVE. */
export function cveFactsAnswer(facts: CveFacts | undefined) {
  return {
    epss: facts?.epss ?? null,
    known_exploited: facts?.exploitedSince != null,
    exploited_since: facts?.exploitedSince?.toISOString().slice(0, 10) ?? null,
    ssvc: facts?.ssvc == null ? null : ssvcAnswer(facts.ssvc),
  };
}

function ssvcAnswer({
  exploitation,
  automatable,
  technicalImpact,
  decidedAt,
}: NonNullable<CveFacts['ssvc']>) {
  return {
    exploitation,
    automatable,
    technical_impact: technicalImpact,
    decided_at: decidedAt.toISOString(),
  };
}

/** Counts of hosts. */
export function countsAnswer({ total, withFix }: AffectedHostCounts) {
  return { total, with_fix: withFix };
}

/** The worst severity; null for an empty list. */
export function worstOf(all: readonly Severity[]): Severity | null {
  return [...all].sort(compareSeverity)[0] ?? null;
}

function recordAnswer(record: AdvisoryRecord) {
  return {
    feed: record.feedId,
    kind: record.kind,
    title: record.title,
    url: record.url,
    severity: record.severity,
    published_at: record.publishedAt?.toISOString() ?? null,
    modified_at: record.modifiedAt?.toISOString() ?? null,
    withdrawn_at: record.withdrawnAt?.toISOString() ?? null,
    aliases: [...record.aliases],
    cves: [...record.cves],
  };
}

function packageAnswer(stated: StatedPackage) {
  const { release, name, names, severity, severitySource, fix, builds, firstSeenAt } = stated;
  return {
    release,
    name,
    names,
    severity,
    severity_source: severitySource,
    fixed_version: fix.kind === 'fixed' ? fix.version : null,
    service: fix.kind === 'fixed' ? fix.service : null,
    unfixed_reason: fix.kind === 'unfixed' ? fix.reason : null,
    unfixed_detail: fix.kind === 'unfixed' ? fix.detail : '',
    architectures: [...builds.architectures],
    module: builds.module,
    line: builds.line,
    first_seen_at: firstSeenAt.toISOString(),
  };
}

function higher(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
