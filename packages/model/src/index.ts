export type {
  Advisory,
  AffectedPackage,
  Builds,
  CvssScore,
  Fix,
  SourceNaming,
  UnfixedReason,
  Workaround,
} from './advisory.ts';
export { anyBuild } from './advisory.ts';
export type { ErrorCode, FieldError } from './app-error.ts';
export { AppError, errorCodes } from './app-error.ts';
export type {
  AuditAction,
  AuditActorKind,
  AuditDetails,
  AuditTargetKind,
  AuditValue,
} from './audit-action.ts';
export { auditActions, auditActorKinds, auditTargetKinds } from './audit-action.ts';
export { type Check, type CheckState, checkStates } from './check.ts';
export { clockAheadMs, isOfWrongClock } from './clock-ahead.ts';
export type { CoreInstall } from './core-install.ts';
export type { CveState, CveStateReason } from './cve-state.ts';
export { cveStateReasons, cveStates } from './cve-state.ts';
export type { DisagreementKind, DisagreementReason } from './disagreement.ts';
export { disagreementKinds, disagreementReasons } from './disagreement.ts';
export {
  type DueAssumption,
  type DueClock,
  type DueCve,
  type DuePreset,
  type DueVerdict,
  dueAssumptions,
  dueClocks,
  duePresets,
  dueVerdicts,
  type ExposureSource,
  exposureSources,
  type HostExposure,
  hostExposures,
  type StatementDates,
  type UndatedReason,
  undatedReasons,
} from './due-date.ts';
export type { ExplanationReason, ExplanationVerdict, StatementJudgement } from './explanation.ts';
export { explanationReasons, explanationVerdicts, silenceGaps, statementJudgements } from './explanation.ts';
export type { FeedFailureCause, FeedWayOut } from './feed-failure.ts';
export { feedFailureCauses, feedWaysOut, wayOutSentence, waysOutOf } from './feed-failure.ts';
export type { FeedFormat, FeedKind } from './feed-format.ts';
export { feedFormats, feedKinds } from './feed-format.ts';
export type { FeedFreshness } from './feed-freshness.ts';
export { feedFreshness, feedFreshnesses } from './feed-freshness.ts';
export type { FeedSyncStage, FeedSyncState } from './feed-sync.ts';
export { feedSyncStages, feedSyncStates } from './feed-sync.ts';
export type { FixState } from './fix-state.ts';
export { fixStates } from './fix-state.ts';
export type { HistoryResolution } from './history-resolution.ts';
export { historyResolutions } from './history-resolution.ts';
export {
  type ActionGround,
  type ApprovalStatus,
  actionGrounds,
  approvalStatuses,
  bitsOfGaps,
  bitsOfGrounds,
  type Coverage,
  coverages,
  type DueState,
  dueStates,
  exemptGaps,
  findingGaps,
  type Gap,
  gapBits,
  gaps,
  gapsOfBits,
  groundsOfBits,
  type HostStatus,
  hostStatuses,
  type OnboardingMode,
  type OverallAction,
  onboardingModes,
  overallActions,
  type PatchRhythmState,
  patchRhythmState,
  patchRhythmStates,
  type RepositoriesState,
  repositoriesStates,
  type UpdatesState,
  updateGaps,
  updatesStates,
} from './host.ts';
export { hostCount } from './host-count.ts';
export type { HostScope } from './host-scope.ts';
export {
  isInScope,
  narrowScope,
  scopeKey,
  scopeOfTags,
  taggedHosts,
  tagsOfScope,
  wholeFleet,
} from './host-scope.ts';
export type {
  AdvisoryKey,
  ApiKeyId,
  BulletinId,
  ChannelId,
  DeliveryId,
  HostGroupId,
  HostId,
  ImportId,
  PackageVersionId,
  PullJobId,
  RegistrationTokenId,
  Release,
  RouteId,
  SshKeyPairId,
  UploadId,
  UserId,
  WaiverId,
} from './ids.ts';
export type { JsonObject } from './json-object.ts';
export { isJsonObject } from './json-object.ts';
export type { ExtendedSupport, Lifecycle } from './lifecycle.ts';
export { isLoopbackHost } from './loopback-host.ts';
export { machineKey } from './machine-key.ts';
export {
  type ChangeCause,
  type ExposureCause,
  exposureCauses,
  type HostChangeCause,
  hostChangeCauses,
  type KnowledgeChangeKind,
  type MatchCause,
  matchCauses,
} from './match-cause.ts';
export type { ChannelKind, DeliveryKind, DeliveryState, NotificationEvent } from './notification.ts';
export {
  channelBox,
  channelKinds,
  deliveryStates,
  fleetEvents,
  notificationEvents,
  previousSecretMs,
} from './notification.ts';
export type { OsFamily, PackageFamily, PackageManager } from './package-family.ts';
export { isPackageFamily, osFamilies, packageFamilies, packageManagers } from './package-family.ts';
export type { PackageVersion, PackageVersionIdentity } from './package-version.ts';
export { isPermittedAddress } from './permitted-address.ts';
export { productVersion } from './product-version.ts';
export type { HostKey, PullErrorCode, PullStatus, PullTrigger } from './pull.ts';
export { pullErrorCodes, pullStatuses, pullTriggers } from './pull.ts';
export type { CopyReason } from './repository.ts';
export { copyReasons } from './repository.ts';
export type { RoundName, RoundRuns, RoundState } from './round.ts';
export { expectedRounds, patienceSeconds, roundSeconds, roundState, roundStates } from './round.ts';
export type { ServiceApp } from './service-app.ts';
export { mallocSettings, serviceApps } from './service-app.ts';
export type { Rating, Severity, SeveritySource } from './severity.ts';
export { compareSeverity, severities, severitySources } from './severity.ts';
export { shownUrl } from './shown-url.ts';
export type { SignInRefusal } from './sign-in-refusal.ts';
export type {
  BrokenPackage,
  BrokenState,
  InstalledKernel,
  InstalledPackage,
  KernelFacts,
  ModuleStream,
  Observation,
  Platform,
  RebootAnswer,
  RebootSource,
  Repository,
  RepositoryRefresh,
  SectionFailure,
  ServiceFacts,
  ServiceToRestart,
  Snapshot,
  Subscription,
  TriState,
  Upgrade,
} from './snapshot.ts';
export { brokenStates, rebootSources } from './snapshot.ts';
export { compareText, groupBy } from './sort-and-group.ts';
export type { Statement, StatementFix, StatementOverride } from './statement.ts';
export { systemErrorCode } from './system-error-code.ts';
export type { ImportState, PayloadKind, UploadDoor, UploadState, UserRole } from './upload.ts';
export {
  importStates,
  maxUploadBytes,
  uploadCompressionLevel,
  uploadDoors,
  uploadStates,
  userRoles,
} from './upload.ts';
export type {
  ComparableVerdict,
  ExcludedVerdict,
  KernelImage,
  KernelPart,
  UnknownReason,
  UnknownVerdict,
  Verdict,
} from './verdict.ts';
export { kernelLine, unknownReasons } from './verdict.ts';
export type { VersionScheme } from './version-scheme.ts';
export { versionSchemes } from './version-scheme.ts';
export { type VexRejection, vexRejections } from './vex-rejection.ts';
export type { WaiverEndCause, WaiverKind } from './waiver.ts';
export { isCveName, longestWaiverDays, waiverEndCauses, waiverKinds } from './waiver.ts';
export { withoutCredentials } from './without-credentials.ts';
