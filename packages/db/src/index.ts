export { PrismaPg } from '@prisma/adapter-pg';
export {
  type DatabaseFaultKind,
  databaseFault,
  databaseFaultKinds,
  isDatabaseAway,
  pingDatabase,
} from './core/availability.ts';
export type { BackedUpTable, BackupContents } from './core/backup/backup-contents.ts';
export { BackupError } from './core/backup/backup-error.ts';
export { type BackupSnapshot, openBackupSnapshot } from './core/backup/backup-snapshot.ts';
export { type LoadTable, loadBackup } from './core/backup/load-backup.ts';
export { cachedValue } from './core/cached-value.ts';
export type { Change, ChangeListener } from './core/change-listener.ts';
export { listenForChanges } from './core/change-listener.ts';
export { type Database, isUuid, newId, openDatabase, type PrismaOnPool } from './core/database.ts';
export type { Instance, InstanceStore } from './core/instance-store.ts';
export { createInstanceStore, isAlive } from './core/instance-store.ts';
export type { MigrationStep, SchemaVersion, UpcomingMigration } from './core/migrations/migrate.ts';
export { SchemaError } from './core/migrations/schema-error.ts';
export { createSchemaCheck, type SchemaCheck } from './core/migrations/schema-state.ts';
export { createRetentionClock, type RetentionClock } from './core/retention-clock.ts';
export { type AppName, appNames } from './core/roles/app-privileges.ts';
export { compareRoles } from './core/roles/compare-roles.ts';
export { powerWarning, readConnectedRole } from './core/roles/connected-role.ts';
export { RoleError, roleScript } from './core/roles/ensure-roles.ts';
export { grantDatabase } from './core/roles/grant-privileges.ts';
export type { MigrationReport } from './core/roles/migrate-database.ts';
export { migrateDatabase } from './core/roles/migrate-database.ts';
export { appDatabaseUrl, type RoleNames, roleNames } from './core/roles/role-names.ts';
export { createRoundStore, type RoundStore } from './core/round-store.ts';
export type { AuthenticatedHost, EnrolmentStore } from './fleet/enrolment/enrolment.ts';
export { createEnrolmentStore } from './fleet/enrolment/enrolment.ts';
export type { EnrolmentLimits, EnrolmentRequest } from './fleet/enrolment/enrolment-request.ts';
export { defaultEnrolmentLimits } from './fleet/enrolment/enrolment-request.ts';
export type { RegistrationToken } from './fleet/enrolment/registration-tokens.ts';
export { createRegistrationTokenStore } from './fleet/enrolment/registration-tokens.ts';
export type { EntriesTaken, UploadAllowances, UploadLimits } from './fleet/enrolment/upload-allowances.ts';
export { createUploadAllowances, defaultUploadLimits } from './fleet/enrolment/upload-allowances.ts';
export type { HostAction, HostActionResult } from './fleet/host-life/host-actions.ts';
export { createHostLifeStore } from './fleet/host-life/host-life-store.ts';
export { createHostRetirement, type HostRetirement } from './fleet/host-life/host-retirement.ts';
export type { GroupFilter, GroupMaker } from './fleet/hosts/group-store.ts';
export { createGroupStore } from './fleet/hosts/group-store.ts';
export { findHostsInScope, tagsInScope } from './fleet/hosts/host-scope.ts';
export type { HostStore } from './fleet/hosts/host-store.ts';
export { createHostStore } from './fleet/hosts/host-store.ts';
export { judgeDue } from './fleet/hosts/judge-due.ts';
export { hostFilterNames, hostFiltersNamed } from './fleet/hosts/named-filters.ts';
export type { HostOverview, HostSortColumn, ListedOverview } from './fleet/hosts/overview.ts';
export { hostSortColumns, sortsByTime } from './fleet/hosts/overview.ts';
export type { HostCursor, HostFilters, HostSort } from './fleet/hosts/query.ts';
export { cursorOf } from './fleet/hosts/query.ts';
export type { TagRulePreview } from './fleet/hosts/tag-preview.ts';
export type { TagRule, TagRules } from './fleet/hosts/tag-rules.ts';
export { createTagWalk, type TagWalk } from './fleet/hosts/tag-walk.ts';
export type { Collector, CollectorStore } from './fleet/ssh/collector-store.ts';
export { createCollectorStore } from './fleet/ssh/collector-store.ts';
export type { PullJobRow, PullJobStore } from './fleet/ssh/pull-job-store.ts';
export { createPullJobStore } from './fleet/ssh/pull-job-store.ts';
export type {
  PullFailure,
  PullHarvest,
  PullRun,
  PullRunStore,
  PullToRun,
} from './fleet/ssh/pull-run-store.ts';
export { createPullRunStore } from './fleet/ssh/pull-run-store.ts';
export { takeRotationLock } from './fleet/ssh/rotation-lock.ts';
export type { KnownLogin, NewSshHost, SshHostStore, SshTargetRow } from './fleet/ssh/ssh-host-store.ts';
export { createSshHostStore } from './fleet/ssh/ssh-host-store.ts';
export type { InstallationPair, SealedKeyPair } from './fleet/ssh/ssh-key-store.ts';
export { createSshKeyStore } from './fleet/ssh/ssh-key-store.ts';
export type { SshTargetChanges } from './fleet/ssh/update-ssh-host.ts';
export { PrismaClient } from './generated/client.ts';
export { classifyVersion } from './ingest/interned-rows.ts';
export type { Interner, Interning, PackageBefore } from './ingest/interning.ts';
export { createInterner, createSetInterner, NotInterned } from './ingest/interning.ts';
export { createKnownUploadStore, type KnownUpload, type KnownUploadStore } from './ingest/known-uploads.ts';
export type {
  ParsedUpload,
  ParsedUploadStore,
  ReceivedUpload,
  ReleaseRefusal,
  WaitingUpload,
} from './ingest/parsed-uploads.ts';
export { createParsedUploadStore, freeChanges } from './ingest/parsed-uploads.ts';
export { createQuarantineStore, type Quarantined, type QuarantineStore } from './ingest/quarantine.ts';
export { type InternedRelease, releaseFactsOf } from './ingest/releases.ts';
export type { AdmitNew } from './ingest/row-ids.ts';
export { createSetPostingStore, type SetPostingStore } from './ingest/set-postings.ts';
export type { SnapshotRow, StoredSnapshot } from './ingest/snapshot-store.ts';
export { createSnapshotStore } from './ingest/snapshot-store.ts';
export { storedFactsOf } from './ingest/stored-facts.ts';
export type { ObservedRepositories } from './ingest/stored-repositories.ts';
export type { UnusedRowStore } from './ingest/unused-rows.ts';
export { createUnusedRowStore } from './ingest/unused-rows.ts';
export type { Backlog, NewUpload, Refusals, SequencePage, UploadRow, UploadStore } from './ingest/uploads.ts';
export { createUploadStore } from './ingest/uploads.ts';
export type { StatedPackage } from './judging/affected/advisory-packages.ts';
export type { AdvisoryInFull, AdvisoryViews, ListedAdvisory } from './judging/affected/advisory-views.ts';
export { createAdvisoryViews } from './judging/affected/advisory-views.ts';
export type {
  AffectedHost,
  AffectedHostCounts,
  AffectedHostPage,
} from './judging/affected/affected-hosts.ts';
export type { AlikeBatch, AlikeHosts, HostPlatform } from './judging/affected/alike-hosts.ts';
export { createAlikeHostStore } from './judging/affected/alike-hosts.ts';
export type {
  CveHostFilter,
  CveHostPage,
  CveHostStore,
  CveTotals,
  HostUnderCve,
} from './judging/affected/cve-host-store.ts';
export { createCveHostStore } from './judging/affected/cve-host-store.ts';
export type { ListedHost, ListedHostCursor } from './judging/affected/hosts-at-sets.ts';
export type { HostsWithPackage, NamedVersion, PackageQuestion } from './judging/affected/package-hosts.ts';
export type { HostPart } from './judging/affected/partial-hosts.ts';
export type { PackageName } from './judging/affected/rank-package-names.ts';
export type {
  AdvisoryCursor,
  AdvisoryFilters,
  AdvisoryOrder,
  AdvisoryRecord,
} from './judging/affected/search.ts';
export type { UnjudgedHost } from './judging/affected/unjudged-hosts.ts';
export { judgeSilence } from './judging/affected/unjudged-hosts.ts';
export type { AssessmentStore } from './judging/assessments/assessment-store.ts';
export { createAssessmentStore } from './judging/assessments/assessment-store.ts';
export type { DueReasons } from './judging/assessments/due-reasons.ts';
export {
  createExplainStore,
  type ExplainStore,
  type LoadedExplanation,
  loadExplanation,
  type NamedHost,
} from './judging/assessments/explain-store.ts';
export type { FindingOrigin } from './judging/assessments/finding-exposures.ts';
export type { HostHistory, HostThen, Known, SnapshotChoice } from './judging/assessments/host-history.ts';
export { createHostHistory } from './judging/assessments/host-history.ts';
export { pastGaps } from './judging/assessments/past-gaps.ts';
export type {
  HostToAssess,
  InstalledVersion,
  Moment,
  StoredContent,
} from './judging/assessments/stored-host.ts';
export { assessStoredCompanions, assessStoredHost } from './judging/assessments/stored-host.ts';
export { createDuePreviewStore, type DueFlow, type DuePreview } from './judging/counting/due-preview.ts';
export type { HostCounter, HostCounts, HostToCount, MatchCounter } from './judging/counting/host-counter.ts';
export { createHostCounter } from './judging/counting/host-counter.ts';
export { matchUploads, packageCounter } from './judging/counting/match-uploads.ts';
export { hasFreeLane, helpRecount, recountChangedHosts } from './judging/counting/recount-hosts.ts';
export { createRecountStore, type RecountStore } from './judging/counting/recount-pieces.ts';
export type { StoredDuePolicy } from './judging/due/host-due-terms.ts';
export { createPolicyStore, type ExposureRules } from './judging/due/policy-store.ts';
export type {
  EvidenceKey,
  EvidenceKeyStore,
  SealedEvidenceKey,
} from './judging/evidence/evidence-key-store.ts';
export { createEvidenceKeyStore } from './judging/evidence/evidence-key-store.ts';
export type { EvidenceBounds, EvidencePeriod, HostEvidence } from './judging/evidence/evidence-store.ts';
export { createEvidenceStore } from './judging/evidence/evidence-store.ts';
export type { JudgedExposure } from './judging/evidence/judge-exposures.ts';
export { isPatched } from './judging/evidence/judge-exposures.ts';
export type { CvePlace } from './judging/exposures/cve-exposures.ts';
export { createExposureStore } from './judging/exposures/exposure-store.ts';
export { createExposureWalkStore, type ExposureWalkStore } from './judging/exposures/exposure-walks.ts';
export type { ExposureFilter, HostExposure } from './judging/exposures/host-exposures.ts';
export type { LearnedRhythm } from './judging/exposures/patch-rhythm.ts';
export { learnRhythm } from './judging/exposures/patch-rhythm.ts';
export type { PatchRhythmStore } from './judging/exposures/patch-rhythm-store.ts';
export { createPatchRhythmStore } from './judging/exposures/patch-rhythm-store.ts';
export type { SeverityTimes } from './judging/exposures/patch-times.ts';
export { patchDays } from './judging/exposures/patch-times.ts';
export type { TimeToPatch } from './judging/exposures/time-to-patch-store.ts';
export { createTimeToPatchStore } from './judging/exposures/time-to-patch-store.ts';
export type {
  FindingCoverage,
  FindingFilters,
  FindingGrouping,
  FindingPlace,
  FindingRow,
  FindingRows,
} from './judging/findings/finding-query.ts';
export { createFindingStore } from './judging/findings/finding-store.ts';
export type { Exposure } from './judging/history/exposure-walk.ts';
export { exposureAt, isSameBuild } from './judging/history/exposure-walk.ts';
export { createHistoryRetention, type HistoryRetention } from './judging/history/history-retention.ts';
export { applyOverrides, type OverrideList } from './judging/knowledge-changes/apply-overrides.ts';
export { applyCurrentRules } from './judging/knowledge-changes/apply-rules.ts';
export {
  type FeedImport,
  type ImportOutcome,
  withFeedImport,
} from './judging/knowledge-changes/import-session.ts';
export { recountAndEndWaivers } from './judging/knowledge-changes/recount-and-end-waivers.ts';
export { judgeDueRepositories } from './judging/repositories/judge-hosts.ts';
export { lagRulesOf } from './judging/repositories/judged-copies.ts';
export type {
  FleetRepository,
  HostRepositoryRow,
  RepositoryStore,
} from './judging/repositories/repository-store.ts';
export { createRepositoryStore } from './judging/repositories/repository-store.ts';
export type { FeedInUse, FleetDay, FleetStore, FleetSummary } from './judging/summary/fleet-store.ts';
export { createFleetStore, dayOf } from './judging/summary/fleet-store.ts';
export type { FleetKnowledge, FleetTotals, SilentHosts } from './judging/summary/fleet-totals.ts';
export type { OddHost, OddPackage, ReleaseOddities } from './judging/summary/odd-host-store.ts';
export { createOddHostStore } from './judging/summary/odd-host-store.ts';
export type { TagLists } from './judging/summary/tag-combinations.ts';
export type { StateDifference } from './judging/verify/state-difference.ts';
export { type HistoryDifference, verifyHistory } from './judging/verify/verify-history.ts';
export { type DecodedPackages, verifyState } from './judging/verify/verify-state.ts';
export type { NewWaiver, Waiver, WaiverPreview } from './judging/waivers/waiver.ts';
export type { WaiverMatches } from './judging/waivers/waiver-matches.ts';
export { createWaiverStore, type WaiverStore } from './judging/waivers/waiver-store.ts';
export type { CveBackground, CveFix } from './knowledge/cve-background-store.ts';
export { createCveBackgroundStore } from './knowledge/cve-background-store.ts';
export type { CveFacts } from './knowledge/feeds/cve-store.ts';
export { createCveStore } from './knowledge/feeds/cve-store.ts';
export type { FeedRead, SyncEnd, SyncedFile } from './knowledge/feeds/end-import.ts';
export type { SyncFailure } from './knowledge/feeds/feed-releases.ts';
export type { FeedRow, FeedStore } from './knowledge/feeds/feed-store.ts';
export { createFeedStore } from './knowledge/feeds/feed-store.ts';
export type { FeedSyncStore, SyncProgress, UnfinishedSync } from './knowledge/feeds/feed-sync-store.ts';
export { createFeedSyncStore } from './knowledge/feeds/feed-sync-store.ts';
export type { CompleteFeed, Shrinkage, StagedItem } from './knowledge/feeds/import-kind.ts';
export { itemsPerStage } from './knowledge/feeds/import-kinds.ts';
export type { ImportProgress, ImportRow, ImportStore } from './knowledge/feeds/import-store.ts';
export { createImportStore } from './knowledge/feeds/import-store.ts';
export type { StoredOverride } from './knowledge/feeds/override-store.ts';
export { createKnowledgeMemories } from './knowledge/knowledge-memory.ts';
export type { AdvisoryDetails } from './knowledge/known-advisories.ts';
export type { StoredPackageVersion } from './knowledge/package-versions.ts';
export { matchOf } from './knowledge/rank-match.ts';
export { createSearchStore } from './knowledge/search-store.ts';
export type { SideStatements } from './knowledge/side-statements.ts';
export { type BulletinClock, createBulletinClock } from './outbox/bulletin-clock.ts';
export {
  type BulletinContents,
  type BulletinMaker,
  createBulletinMaker,
  type MadeBulletin,
  type UnknownHost,
} from './outbox/bulletin-contents.ts';
export {
  type Bulletin,
  type BulletinChanges,
  type BulletinSchedule,
  createBulletinStore,
} from './outbox/bulletins.ts';
export type { Channel, ChannelStore, NewChannel, SealedText } from './outbox/channels.ts';
export { createChannelStore } from './outbox/channels.ts';
export type { ConditionWatch, Look } from './outbox/conditions.ts';
export { createConditionWatch } from './outbox/conditions.ts';
export type { Delivery, DeliveryFilters, DeliveryStore } from './outbox/deliveries.ts';
export { createDeliveryStore } from './outbox/deliveries.ts';
export type { DeliveryItem } from './outbox/delivery-items.ts';
export type { AttemptEnd, DeliveryRunStore, DeliveryToSend } from './outbox/delivery-runs.ts';
export { createDeliveryRunStore } from './outbox/delivery-runs.ts';
export type {
  CollectedEvents,
  EventCollector,
  RouteSchedule,
  Timing,
} from './outbox/event-collector.ts';
export { createEventCollector } from './outbox/event-collector.ts';
export { createHostWatch, type HostWatch } from './outbox/host-watch.ts';
export type { MachineIdentity } from './outbox/machine-identities.ts';
export type { MailConfirmationStore } from './outbox/mail-confirmations.ts';
export { confirmationDays, createMailConfirmationStore } from './outbox/mail-confirmations.ts';
export type { MessageSource } from './outbox/message-allowances.ts';
export { createMessageAllowances } from './outbox/message-allowances.ts';
export type { NotificationRounds } from './outbox/notification-rounds.ts';
export { createNotificationRounds } from './outbox/notification-rounds.ts';
export { createFailedEventStore, type FailedEvent, type ShownFailure } from './outbox/outbox.ts';
export type { Digest, QuietHours } from './outbox/route-schedule.ts';
export type { NewRoute, Route } from './outbox/routes.ts';
export { createRouteStore } from './outbox/routes.ts';
export type { ReportTimes, SavedPlanRow } from './outbox/saved-plans.ts';
export { createSavedPlanStore } from './outbox/saved-plans.ts';
export type { ApiKey, ApiKeyStore, KeyWithUser } from './people/api-keys.ts';
export { createApiKeyStore } from './people/api-keys.ts';
export {
  type AuditChainStore,
  type AuditExportTarget,
  createAuditChain,
  type ExportBatch,
  type SealedEvent,
} from './people/audit-chain.ts';
export type {
  AuditActor,
  AuditEvent,
  AuditFilters,
  AuditStore,
  NewAuditEvent,
} from './people/audit-events.ts';
export { cliActor, createAuditStore, systemActor } from './people/audit-events.ts';
export type { ChallengeOwner, ChallengePurpose, ChallengeStore } from './people/challenges.ts';
export { createChallengeStore } from './people/challenges.ts';
export type { UserChanges } from './people/change-user.ts';
export { createDownloadStore, downloadSeconds } from './people/downloads.ts';
export { exportLineOf, readExportLine } from './people/export-line.ts';
export type { Admission, IdentityStore } from './people/identities.ts';
export { createIdentityStore } from './people/identities.ts';
export type { Invitation } from './people/invitations.ts';
export { createInvitationStore } from './people/invitations.ts';
export type { GuessedSecret } from './people/login-attempts.ts';
export { attemptKey, attemptPrefixes, unlockUser } from './people/login-attempts.ts';
export type { Passkey, PasskeyStore } from './people/passkey-store.ts';
export { createPasskeyStore } from './people/passkey-store.ts';
export type { SecondFactorStore } from './people/second-factor-store.ts';
export { createSecondFactorStore } from './people/second-factor-store.ts';
export type { LiveSession, SessionMethod, SessionOfUser } from './people/session-rows.ts';
export type { NewSession, SessionClaims, SessionFilter, SessionStore } from './people/sessions.ts';
export { createSessionStore } from './people/sessions.ts';
export type { TotpStore } from './people/totp-store.ts';
export { createTotpStore } from './people/totp-store.ts';
export type { NewUser, User, UserStore } from './people/users.ts';
export { createUserStore } from './people/users.ts';
export { type AuditVerdict, hashOfEvent, type KnownLink, verifyAudit } from './people/verify-audit.ts';
