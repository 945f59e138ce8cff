export type {
  CandidateSource,
  Classification,
  Distribution,
  KernelImage,
  Lifecycle,
  PackageSubject,
  ReleaseVerdict,
  UnknownReason,
  UnsupportedReason,
  Verdict,
} from './distribution.ts';
export { verdictOf } from './distribution.ts';
export type { FeedDefinition } from './feed.ts';
export type { AssessedHost, Assessment } from './host/assess-host.ts';
export { assessHost } from './host/assess-host.ts';
export type { CountedHost, FindingCounts, HostTotals } from './host/count-host.ts';
export { countHost } from './host/count-host.ts';
export type { Evidence, EvidenceCode, EvidenceNote } from './host/evidence.ts';
export { evidenceCodes } from './host/evidence.ts';
export type { Finding, FindingAdvisory, FindingSelection } from './host/finding.ts';
export { selectFindings } from './host/finding.ts';
export type { AssessedPackage, HostFacts, HostUpgrade } from './host/host-facts.ts';
export type { KernelPosture, PostureKernel, RebootReason } from './host/kernel-posture.ts';
export type { KernelSummary, PackageSummary, Weight } from './host/package-summary.ts';
export { summarisePackage } from './host/package-summary.ts';
export type { RunningKernelSubject } from './host/running-kernel-subject.ts';
export { runningKernelSubject } from './host/running-kernel-subject.ts';
export type { UpgradableRow } from './host/upgradable.ts';
export type { IsJudged, JudgedStatement, Judgement, Matchable } from './matching/match-package.ts';
export { explainPackage, matchPackage } from './matching/match-package.ts';
export type { Statement, StatementFix } from './matching/statement.ts';
export type { OsvRecord, RejectionReason } from './osv/parse-osv-record.ts';
export { parseOsvRecord } from './osv/parse-osv-record.ts';
export type { IssueReason, RecordIssue } from './osv/record-issues.ts';
export {
  classifyPackage,
  classifyUpgrade,
  distributionOf,
  distributions,
  feedForOsvEcosystem,
  feedForRelease,
  feeds,
  releaseOf,
} from './registry.ts';
