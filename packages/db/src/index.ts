export { PrismaPg } from '@prisma/adapter-pg';
export type { StatedPackage } from './advisories/advisory-packages.ts';
export type { AdvisoryInFull, AdvisoryViews, ListedAdvisory } from './advisories/advisory-views.ts';
export { createAdvisoryViews } from './advisories/advisory-views.ts';
export type { AffectedHost, AffectedHostCounts, AffectedHostPage } from './advisories/affected-hosts.ts';
export type { AlikeBatch, AlikeHostStore, AlikeHosts, HostPlatform } from './advisories/alike-hosts.ts';
export { createAlikeHostStore } from './advisories/alike-hosts.ts';
export type { ListedHost, ListedHostCursor } from './advisories/hosts-at-sets.ts';
export type { HostsWithPackage, NamedVersion, PackageQuestion } from './advisories/package-hosts.ts';
export type { HostPart } from './advisories/partial-hosts.ts';
export type { PackageName } from './advisories/rank-package-names.ts';
export type { AdvisoryCursor, AdvisoryFilters, AdvisoryOrder, AdvisoryRecord } from './advisories/search.ts';
export type { UnjudgedHost, UnjudgedHostPage } from './advisories/unjudged-hosts.ts';
export { judgeSilence } from './advisories/unjudged-hosts.ts';
export type { AssessmentStore } from './assessments/assessment-store.ts';
export { createAssessmentStore } from './assessments/assessment-store.ts';
export type { DueReasons } from './assessments/due-reasons.ts';
export type { FindingHost, FindingOrigin } from './assessments/finding-exposures.ts';
export type { HostHistory, HostThen, Known, SnapshotChoice } from './assessments/host-history.ts';
export { createHostHistory } from './assessments/host-history.ts';
export type { PastKnowledge } from './assessments/past-gaps.ts';
export { pastGaps } from './assessments/past-gaps.ts';
export type { HostToAssess, InstalledVersion, Moment, StoredContent } from './assessments/stored-host.ts';
export { assessStoredCompanions, assessStoredHost } from './assessments/stored-host.ts';
export {
  type AuditChainStore,
  type AuditExportTarget,
  createAuditChain,
  type ExportBatch,
  type SealedEvent,
} from './audit/audit-chain.ts';
export type {
  AuditActor,
  AuditEvent,
  AuditFilters,
  AuditStore,
  AuditTarget,
  NewAuditEvent,
} from './audit/audit-events.ts';
export { cliActor, createAuditStore, systemActor } from './audit/audit-events.ts';
export { exportLineOf, readExportLine } from './audit/export-line.ts';
export { type AuditVerdict, hashOfEvent, type KnownLink, verifyAudit } from './audit/verify-audit.ts';
export { type BulletinClock, createBulletinClock } from './bulletins/bulletin-clock.ts';
export {
  type BulletinContents,
  type BulletinMaker,
  createBulletinMaker,
  type MadeBulletin,
  type UnknownHost,
} from './bulletins/bulletin-contents.ts';
export type { ParseGroup } from './bulletins/bulletin-rights.ts';
export {
  type Bulletin,
  type BulletinChanges,
  type BulletinSchedule,
  type BulletinStore,
  createBulletinStore,
  type NewBulletin,
} from './bulletins/bulletins.ts';
export { type CachedValue, cachedValue } from './caching/cached-value.ts';
export {
  type DatabaseFault,
  type DatabaseFaultKind,
  databaseFault,
  isDatabaseAway,
  pingDatabase,
} from './connection/availability.ts';
export type { Change, ChangeListener, ChangeObserver } from './connection/change-listener.ts';
export { listenForChanges } from './connection/change-listener.ts';
export type { CveBackground, CveBackgroundStore, CveFix } from './cves/cve-background-store.ts';
export { createCveBackgroundStore } from './cves/cve-background-store.ts';
export type {
  CveHostFilter,
  CveHostPage,
  CveHostStore,
  CveTotals,
  HostUnderCve,
} from './cves/cve-host-store.ts';
export { createCveHostStore } from './cves/cve-host-store.ts';
export type { JudgedVersion } from './cves/cve-knowledge.ts';
export type { VersionJudgement } from './cves/judge-version.ts';
export {
  type Database,
  type DatabaseOptions,
  isUuid,
  newId,
  openDatabase,
  type PrismaOnPool,
} from './database.ts';
export type { AuthenticatedHost, EnrolmentStore } from './enrolment/enrolment.ts';
export { createEnrolmentStore } from './enrolment/enrolment.ts';
export type { EnrolmentLimits, EnrolmentRequest, EnrolmentResult } from './enrolment/enrolment-request.ts';
export { defaultEnrolmentLimits } from './enrolment/enrolment-request.ts';
export type {
  NewRegistrationToken,
  RegistrationToken,
  RegistrationTokenStore,
} from './enrolment/registration-tokens.ts';
export { createRegistrationTokenStore } from './enrolment/registration-tokens.ts';
export type { EvidenceKey, EvidenceKeyStore, SealedEvidenceKey } from './evidence/evidence-key-store.ts';
export { createEvidenceKeyStore } from './evidence/evidence-key-store.ts';
export type {
  EvidenceBounds,
  EvidencePeriod,
  EvidenceStore,
  HostEvidence,
} from './evidence/evidence-store.ts';
export { createEvidenceStore } from './evidence/evidence-store.ts';
export type { JudgedExposure } from './evidence/judge-exposures.ts';
export { isPatched } from './evidence/judge-exposures.ts';
export {
  createExplainStore,
  type ExplainStore,
  type LoadedExplanation,
  loadExplanation,
  type NamedHost,
} from './explain/explain-store.ts';
export type { CvePlace } from './exposures/cve-exposures.ts';
export { createExposureStore, type ExposureStore } from './exposures/exposure-store.ts';
export type { ExposureFilter, HostExposure } from './exposures/host-exposures.ts';
export type { CveFacts, CveStore } from './feeds/cve-store.ts';
export { createCveStore } from './feeds/cve-store.ts';
export type { FeedRead, ImportEnd, SyncEnd, SyncedFile } from './feeds/end-import.ts';
export type { SyncedRelease, SyncFailure } from './feeds/feed-releases.ts';
export type { FeedReleaseRow, FeedRow, FeedState, FeedStore, HostsOfRelease } from './feeds/feed-store.ts';
export { createFeedStore } from './feeds/feed-store.ts';
export type { FeedSyncStore, SyncProgress, UnfinishedSync } from './feeds/feed-sync-store.ts';
export { createFeedSyncStore } from './feeds/feed-sync-store.ts';
export { itemsPerStage } from './feeds/import-kinds.ts';
export { type FeedImport, type ImportOutcome, withFeedImport } from './feeds/import-session.ts';
export type { ImportProgress, ImportRow, ImportStore, NewImport } from './feeds/import-store.ts';
export { createImportStore } from './feeds/import-store.ts';
export type { CompleteFeed, RejectedItem, Shrinkage, StagedItem } from './feeds/kind/import-kind.ts';
export {
  type AppliedOverrides,
  applyOverrides,
  type OverrideList,
} from './feeds/overrides/apply-overrides.ts';
export { listOverrides, type StoredOverride } from './feeds/overrides/override-store.ts';
export type {
  FindingCoverage,
  FindingFilters,
  FindingGrouping,
  FindingPage,
  FindingPlace,
  FindingQuery,
  FindingRow,
  FindingRows,
} from './findings/finding-query.ts';
export type { FindingStore } from './findings/finding-store.ts';
export { createFindingStore } from './findings/finding-store.ts';
export type { FeedInUse, FleetDay, FleetStore, FleetSummary } from './fleet/fleet-store.ts';
export { createFleetStore, dayOf } from './fleet/fleet-store.ts';
export type { FleetKnowledge, FleetTotals, OsTotal, SilentHosts } from './fleet/fleet-totals.ts';
export type { Instance, InstanceStore, RecentFailures, WaitingWork } from './fleet/instance-store.ts';
export { createInstanceStore } from './fleet/instance-store.ts';
export type { TagLists } from './fleet/tag-combinations.ts';
export { PrismaClient } from './generated/client.ts';
export type { Exposure } from './history/exposure-walk.ts';
export { exposureAt, isSameBuild } from './history/exposure-walk.ts';
export { createHistoryRetention, type HistoryRetention } from './history/history-retention.ts';
export type { HostAction, HostActionResult } from './host-life/host-actions.ts';
export { createHostLifeStore, type HostLifeStore } from './host-life/host-life-store.ts';
export { createHostRetirement, type HostRetirement } from './host-life/host-retirement.ts';
export type {
  GroupChanges,
  GroupFilter,
  GroupMaker,
  GroupReader,
  GroupStore,
  HostGroup,
} from './hosts/group-store.ts';
export { createGroupStore } from './hosts/group-store.ts';
export { findHostsInScope, tagsInScope } from './hosts/host-scope.ts';
export type { HostStore } from './hosts/host-store.ts';
export { createHostStore } from './hosts/host-store.ts';
export type { NewHost } from './hosts/insert-host.ts';
export { hostFilterNames, hostFiltersNamed } from './hosts/named-filters.ts';
export type { OddHost, OddHostStore, Oddities, OddPackage, ReleaseOddities } from './hosts/odd-host-store.ts';
export { createOddHostStore } from './hosts/odd-host-store.ts';
export type { HostOverview, HostSortColumn, ListedOverview } from './hosts/overview.ts';
export { hostSortColumns, sortsByTime } from './hosts/overview.ts';
export type { HostCursor, HostFilters, HostSort } from './hosts/query.ts';
export { cursorOf } from './hosts/query.ts';
export type { HostUpdate } from './hosts/update-host.ts';
export { type ClassifiedPackageVersion, classifyVersion } from './interning/interned-rows.ts';
export type { Interner, Interning } from './interning/interning.ts';
export { createInterner, createSetInterner, NotInterned } from './interning/interning.ts';
export { type InternedRelease, type ReleaseFacts, releaseFactsOf } from './interning/releases.ts';
export type { AdmitNew } from './interning/row-ids.ts';
export { SetMemory } from './interning/set-memory.ts';
export { createSetPostingStore, type SetPostingStore } from './interning/set-postings.ts';
export type { UnusedRowStore, UnusedRows } from './interning/unused-rows.ts';
export { createUnusedRowStore } from './interning/unused-rows.ts';
export { judgeDue } from './judging/judge-due.ts';
export { createKnowledgeMemories, type KnowledgeMemories } from './knowledge/knowledge-memory.ts';
export type { AdvisoryDetails } from './knowledge/known-advisories.ts';
export type { SideStatement, SideStatements } from './knowledge/side-statements.ts';
export type { AppliedRules } from './matching/apply-rules.ts';
export { applyCurrentRules } from './matching/apply-rules.ts';
export type { HostCounter, HostCounts, HostToCount, MatchCounter } from './matching/host-counter.ts';
export { createHostCounter } from './matching/host-counter.ts';
export type { MatchedUploads } from './matching/match-uploads.ts';
export { matchUploads, packageCounter } from './matching/match-uploads.ts';
export type { StoredPackageVersion } from './matching/package-versions.ts';
export { hasFreeLane, helpRecount, recountChangedHosts } from './matching/recount-hosts.ts';
export { createRecountStore, type RecountStore } from './matching/recount-pieces.ts';
export type { MigrateOptions, MigrationStep, SchemaVersion } from './migrations/migrate.ts';
export { applyMigrations } from './migrations/migrate.ts';
export { SchemaError } from './migrations/schema-error.ts';
export { createSchemaCheck, type SchemaCheck } from './migrations/schema-state.ts';
export type {
  Channel,
  ChannelChanges,
  ChannelStore,
  NewChannel,
  SealedText,
} from './notifications/channels.ts';
export { createChannelStore } from './notifications/channels.ts';
export type { ConditionWatch, Look } from './notifications/conditions.ts';
export { createConditionWatch } from './notifications/conditions.ts';
export type { Delivery, DeliveryFilters, DeliveryStore } from './notifications/deliveries.ts';
export { createDeliveryStore } from './notifications/deliveries.ts';
export type { DeliveryItem, DeliveryItems } from './notifications/delivery-items.ts';
export type {
  AttemptEnd,
  DeliveryRun,
  DeliveryRunStore,
  DeliveryToSend,
} from './notifications/delivery-runs.ts';
export { createDeliveryRunStore } from './notifications/delivery-runs.ts';
export type {
  CollectedEvents,
  EventCollector,
  RouteSchedule,
  Timing,
} from './notifications/event-collector.ts';
export { createEventCollector } from './notifications/event-collector.ts';
export { createHostWatch, type HostWatch } from './notifications/host-watch.ts';
export type { MailConfirmationStore, UnconfirmedRecipient } from './notifications/mail-confirmations.ts';
export { confirmationDays, createMailConfirmationStore } from './notifications/mail-confirmations.ts';
export type { MessageAllowances, MessageSource } from './notifications/message-allowances.ts';
export { createMessageAllowances } from './notifications/message-allowances.ts';
export type { NotificationRounds } from './notifications/notification-rounds.ts';
export { createNotificationRounds } from './notifications/notification-rounds.ts';
export {
  createFailedEventStore,
  type FailedEvent,
  type FailedEventStore,
  type ShownFailure,
} from './notifications/outbox.ts';
export type { Digest, QuietHours } from './notifications/route-schedule.ts';
export type { NewRoute, Route, RouteChanges, RouteStore } from './notifications/routes.ts';
export { createRouteStore } from './notifications/routes.ts';
export { createExposureWalkStore, type ExposureWalkStore } from './patching/exposure-walks.ts';
export type { LearnedRhythm } from './patching/patch-rhythm.ts';
export { learnRhythm } from './patching/patch-rhythm.ts';
export type { PatchRhythmStore } from './patching/patch-rhythm-store.ts';
export { createPatchRhythmStore } from './patching/patch-rhythm-store.ts';
export type { SeverityTimes } from './patching/patch-times.ts';
export { patchDays } from './patching/patch-times.ts';
export type { TimeToPatch, TimeToPatchStore } from './patching/time-to-patch-store.ts';
export { createTimeToPatchStore } from './patching/time-to-patch-store.ts';
export type { MachineIdentity } from './plans/machine-identities.ts';
export type { NewSavedPlan, ReportTimes, SavedPlanRow, SavedPlanStore } from './plans/saved-plans.ts';
export { createSavedPlanStore, mostSavedPlans } from './plans/saved-plans.ts';
export type { StoredDuePolicy } from './policies/host-due-terms.ts';
export {
  createPolicyStore,
  type ExposureRule,
  type ExposureRules,
  type PolicyStore,
} from './policies/policy-store.ts';
export type { TagChange, TagRulePreview } from './policies/tag-preview.ts';
export type { TagRule, TagRules } from './policies/tag-rules.ts';
export { createTagWalk, type TagWalk } from './policies/tag-walk.ts';
export {
  createDuePreviewStore,
  type DueFlow,
  type DuePreview,
  type DuePreviewStore,
} from './previews/due-preview.ts';
export { judgeDueRepositories } from './repositories/judge-hosts.ts';
export { lagRulesOf } from './repositories/judged-copies.ts';
export type {
  FleetRepository,
  HostRepositoryRow,
  RepositoryCursor,
  RepositoryStore,
} from './repositories/repository-store.ts';
export { createRepositoryStore } from './repositories/repository-store.ts';
export type { ObservedRepositories } from './repositories/stored-repositories.ts';
export { type AppName, appNames } from './roles/app-privileges.ts';
export { type ConnectedRole, powerWarning, readConnectedRole } from './roles/connected-role.ts';
export { RoleError, type RolePasswords, type RolesOutcome, roleScript } from './roles/ensure-roles.ts';
export { grantDatabase } from './roles/grant-privileges.ts';
export type { DatabaseMigration, MigrationReport } from './roles/migrate-database.ts';
export { migrateDatabase } from './roles/migrate-database.ts';
export { appDatabaseUrl, type RoleNames, roleNames } from './roles/role-names.ts';
export { createRetentionClock, type FollowedClock, type RetentionClock } from './rounds/retention-clock.ts';
export { createRoundStore, type RoundStore } from './rounds/round-store.ts';
export { matchOf } from './search/rank-match.ts';
export { createSearchStore, type SearchStore } from './search/search-store.ts';
export type { ChallengeOwner, ChallengePurpose, ChallengeStore } from './second-factors/challenges.ts';
export { createChallengeStore } from './second-factors/challenges.ts';
export type { Passkey, PasskeyStore } from './second-factors/passkey-store.ts';
export { createPasskeyStore } from './second-factors/passkey-store.ts';
export type { SecondFactorStore } from './second-factors/second-factor-store.ts';
export { createSecondFactorStore } from './second-factors/second-factor-store.ts';
export type { StoredTotp, TotpStore } from './second-factors/totp-store.ts';
export { createTotpStore } from './second-factors/totp-store.ts';
export type { StoredFacts } from './snapshots/stored-facts.ts';
export { storedFactsOf } from './snapshots/stored-facts.ts';
export type { Collector, CollectorStore } from './ssh/collector-store.ts';
export { createCollectorStore } from './ssh/collector-store.ts';
export type { PullJobRow, PullJobStore } from './ssh/pull-job-store.ts';
export { createPullJobStore } from './ssh/pull-job-store.ts';
export type { PullFailure, PullHarvest, PullRun, PullRunStore, PullToRun } from './ssh/pull-run-store.ts';
export { createPullRunStore } from './ssh/pull-run-store.ts';
export type { RotationLock } from './ssh/rotation-lock.ts';
export { takeRotationLock } from './ssh/rotation-lock.ts';
export type { KnownLogin, NewSshHost, SshHostStore, SshLogin, SshTargetRow } from './ssh/ssh-host-store.ts';
export { createSshHostStore } from './ssh/ssh-host-store.ts';
export type { InstallationPair, SealedKeyPair, SshKeyStore } from './ssh/ssh-key-store.ts';
export { createSshKeyStore } from './ssh/ssh-key-store.ts';
export type { SshTargetChanges } from './ssh/update-ssh-host.ts';
export { createKnownUploadStore, type KnownUpload, type KnownUploadStore } from './uploads/known-uploads.ts';
export type {
  ParsedUpload,
  ParsedUploadStore,
  ReceivedUpload,
  ReleaseRefusal,
  WaitingUpload,
} from './uploads/parsed-uploads.ts';
export { createParsedUploadStore, freeChanges } from './uploads/parsed-uploads.ts';
export type { SnapshotRow, SnapshotStore, StoredSnapshot } from './uploads/snapshot-store.ts';
export { createSnapshotStore } from './uploads/snapshot-store.ts';
export type { EntriesTaken, UploadAllowances, UploadLimits } from './uploads/upload-allowances.ts';
export { createUploadAllowances, defaultUploadLimits } from './uploads/upload-allowances.ts';
export type {
  Backlog,
  NewUpload,
  PendingUpload,
  Refusals,
  SequencePage,
  UploadRow,
  UploadStore,
} from './uploads/uploads.ts';
export { createUploadStore } from './uploads/uploads.ts';
export type { ApiKey, ApiKeyStore, KeyWithUser, NewApiKey } from './users/api-keys.ts';
export { createApiKeyStore } from './users/api-keys.ts';
export type { UserChanges } from './users/change-user.ts';
export type { AllowedDownload, DownloadStore } from './users/downloads.ts';
export { createDownloadStore, downloadSeconds } from './users/downloads.ts';
export type { Admission, AdmittedIdentity, IdentityStore } from './users/identities.ts';
export { createIdentityStore } from './users/identities.ts';
export type { AcceptedInvitation, Invitation, InvitationStore, NewInvitation } from './users/invitations.ts';
export { createInvitationStore } from './users/invitations.ts';
export type { GuessedSecret } from './users/login-attempts.ts';
export { attemptKey, attemptPrefixes, unlockUser } from './users/login-attempts.ts';
export type { PresentedRefresh, Refreshed } from './users/refresh-session.ts';
export type { LiveSession, SessionKind, SessionMethod, SessionOfUser } from './users/session-rows.ts';
export { sessionKinds, sessionMethods } from './users/session-rows.ts';
export type { NewSession, SessionClaims, SessionFilter, SessionStore } from './users/sessions.ts';
export { createSessionStore } from './users/sessions.ts';
export type { NewUser, User, UserStore } from './users/users.ts';
export { createUserStore } from './users/users.ts';
export type { StateDifference } from './verify/state-difference.ts';
export { type HistoryDifference, verifyHistory } from './verify/verify-history.ts';
export {
  type DecodedPackages,
  type StateToVerify,
  verifyState,
} from './verify/verify-state.ts';
export { mostWaivers } from './waivers/change-waivers.ts';
export { recountAndEndWaivers } from './waivers/recount-and-end-waivers.ts';
export type { NewWaiver, Waiver, WaiverFilter, WaiverPreview, WaiverUpdate } from './waivers/waiver.ts';
export type { WaiverMatches } from './waivers/waiver-matches.ts';
export { createWaiverStore, type WaiverStore } from './waivers/waiver-store.ts';
