export { isAddOnLine } from './builds.ts';
export type { CandidateSource, Classification, Distribution, PackageSubject } from './distribution.ts';
export { asksForForensics, type Deadline, deadlineOf, undated } from './due/deadline.ts';
export { dayMs, type HostTimes, startOfDay } from './due/due-clock.ts';
export { type DueFacts, dueFactsOf } from './due/due-facts.ts';
export {
  asksForActive,
  asksForExploitation,
  type DuePolicy,
  type DueTerms,
  dependsOnFirstReport,
  dependsOnInstallation,
  dueTermsOf,
  noDuePolicy,
  presetPolicy,
} from './due/due-policy.ts';
export type { DueRule } from './due/due-rule.ts';
export { type DueSpan, dueIn, dueSpanOf, noDueSpan } from './due/due-span.ts';
export { DueTally, type HostDue } from './due/host-due.ts';
export { explainHost } from './explain/explain-host.ts';
export type { ExplainedPackage, ExplainedStatement, Explanation } from './explain/explanation.ts';
export { packagesAsked } from './explain/packages-asked.ts';
export type { ExplainedHost, NamedAdvisory, SpeakingFeed, StatedVersion } from './explain/question.ts';
export type { AdvisoryReading } from './feeds/advisories/advisory-feed.ts';
export type { CveFact, SsvcDecision } from './feeds/cves/cve-feed.ts';
export type { FeedFile, FeedOf, FeedReading } from './feeds/feed.ts';
export type { ReleaseLifecycle } from './feeds/lifecycles/lifecycle-feed.ts';
export type { RepositoryProducts } from './feeds/repositories/repository-feed.ts';
export type { AssessedHost, Assessment } from './host/assess-host.ts';
export { assessHost, findingsOf } from './host/assess-host.ts';
export { companionsOf } from './host/companions.ts';
export type { CoreHistory } from './host/core-packages.ts';
export { coreInstallsOf, coreUpdatesSinceBoot, firstInstallOf } from './host/core-packages.ts';
export type {
  BootedKernel,
  CountedFinding,
  CountedHost,
  CountedPart,
  FindingCounts,
  HostSums,
  HostTotals,
  Tally,
  UpdateTally,
} from './host/count-host.ts';
export {
  countKernels,
  countPackages,
  isOfKernel,
  sumsOf,
  TallySum,
  tallyUpdates,
  totalsOf,
} from './host/count-host.ts';
export type { Disagreement } from './host/disagreements.ts';
export type { Evidence, EvidenceNote } from './host/evidence.ts';
export { evidenceCodes } from './host/evidence.ts';
export type { Finding, FindingAdvisory } from './host/finding.ts';
export { selectFindings } from './host/finding.ts';
export type { FindingEntry, FindingMark } from './host/finding-entries.ts';
export { entryState } from './host/finding-entries.ts';
export type { AssessedPackage, HostFacts, HostUpgrade } from './host/host-facts.ts';
export { isOffered, readOffer } from './host/host-facts.ts';
export { runningKernelSubject } from './host/host-kernels.ts';
export type {
  JudgedOverview,
  OverviewFacts,
  ReleaseOverviewFacts,
} from './host/judge-overview.ts';
export { judgeOverview, unknownRelease } from './host/judge-overview.ts';
export type { KernelPosture } from './host/kernel-posture.ts';
export { nameSome } from './host/name-some.ts';
export { openingKey } from './host/opening.ts';
export type { KernelStatement, PackageSummary } from './host/package-summary.ts';
export {
  assessedPackage,
  concernedBy,
  isNotable,
  isVisible,
  matchedVerdict,
  summarisePackage,
  summariseUnder,
  waivedIn,
} from './host/package-summary.ts';
export { firstState } from './host/read-host.ts';
export type { SilenceFacts } from './host/silence.ts';
export { gapOfSilence } from './host/silence.ts';
export { architecturesByName, offersFix } from './host/supply.ts';
export type { UpgradableRow } from './host/upgradable.ts';
export {
  containerKinds,
  isContainer,
  isSameKernel,
  kernelOf,
  livePatchOf,
  livePatchPrefixes,
} from './kernel/running-kernel.ts';
export { areJudgementOf } from './matching/judged-cves.ts';
export type { JudgedStatement, VersionToMatch } from './matching/match-version.ts';
export {
  cvesFixedIn,
  explainVersion,
  isOpenToOtherBuilds,
  matchVersion,
} from './matching/match-version.ts';
export { inTermsOf } from './matching/source-versions.ts';
export { statementKeys } from './matching/statement-keys.ts';
export { type KeyScale, keyScaleOf, versionClassOf } from './matching/version-classes.ts';
export { type MirrorRule, originEvidence, plainOrigin, withOrigins } from './origin-policy.ts';
export type { FeedOverride } from './overrides/feed-override.ts';
export { knownFeedErrors } from './overrides/known-feed-errors.ts';
export { overrideKeys, readOverrides } from './overrides/read-overrides.ts';
export type { IssueReason } from './record-issues.ts';
export {
  classifyCompanion,
  classifyPackage,
  classifyUpgrade,
  distributionOf,
  distributions,
  editionEndOf,
  feedForRelease,
  releaseOf,
  shownSubscription,
  supportEndOf,
  verdictOf,
} from './registry/distributions.ts';
export type { EnabledFeeds, FileChoice } from './registry/feed-files.ts';
export {
  enabledFeedsOf,
  filesOf,
  filesToSync,
  isSynced,
  type OwnFiles,
  ownFilesOf,
  staleAfterSecondsOf,
  supportedReleases,
  syncIntervalsMsOf,
} from './registry/feed-files.ts';
export { feedProfile, feedRoles } from './registry/feed-profile.ts';
export { feedStatus, hostsThatNeed, isFetched, oldestDataOf } from './registry/feed-status.ts';
export type { Feed, FeedItems } from './registry/feeds.ts';
export { feedIds, feedOf, feeds, feedsOf, formatOfRecord, isSplitFormat } from './registry/feeds.ts';
export { judgeCopy, type NewestDates } from './repositories/judge-copy.ts';
export {
  judgeRepositories,
  type RepositoryCopy,
  repositoryCopies,
} from './repositories/judge-repositories.ts';
export type { LagRules } from './repositories/max-lag.ts';
export { maxLagDays, parseLagException } from './repositories/max-lag.ts';
export type { RepositoryIdentity } from './repositories/repository-identity.ts';
export { labelFromEnabledStreams, lacksStream } from './rpm/enabled-streams.ts';
export { rulesVersion } from './rules-version.ts';
export type { CveRating } from './severity/open-rating.ts';
export { cveRatingsIn, rateOpenCves } from './severity/open-rating.ts';
export type { FewestMoves, MovableFindings, Move } from './upgrade/fewest-moves.ts';
export { fewestMoves } from './upgrade/fewest-moves.ts';
export { changeOf } from './upgrade/offer-change.ts';
export { packageManagerOf } from './upgrade/package-manager.ts';
export { repairCommands } from './upgrade/repair-commands.ts';
export { settleOffers } from './upgrade/settle-offers.ts';
export {
  fullUpgradeCommand,
  isBootedInto,
  isCorePackage,
  isImageBased,
  isSafePackage,
  namedUpgradeCommand,
  ownSecurityCommand,
  packageSpecs,
  shellWord,
  upgradesInstalledOnly,
} from './upgrade/upgrade-command.ts';
export { joinDecisions, type PlannedDecision, planWaivers } from './vex/plan-waivers.ts';
export { readVex } from './vex/read-vex.ts';
export { type VexDocument, type VexFormat, type VexStatement, vexFormats } from './vex/vex-document.ts';
export { type AppliedWaiver, earliestOf, HostWaivers, type WaivedPackage } from './waivers/host-waivers.ts';
export { readPackagePattern } from './waivers/package-pattern.ts';
