export type { Advisory, AdvisoryDetail, AffectedHost, UnjudgedHost } from './advisory.ts';
export type { ApiKey, IssuedApiKey } from './api-key.ts';
export { longestKeyDays } from './api-key.ts';
export type { AuditEvent } from './audit-event.ts';
export { type Bulletin, type BulletinContents, bulletinContentsSchema } from './bulletin.ts';
export type { HostChanges } from './changes.ts';
export type { PasswordOwner } from './common-password.ts';
export { commonPasswordFault } from './common-password.ts';
export { csvType } from './csv.ts';
export { type CsvCell, csvLines } from './csv-lines.ts';
export type { CveDetail, CveHosts, CveHostsFilterQuery, CveLookup, CveProgress } from './cve.ts';
export { mostCvesLookedUp } from './cve.ts';
export type { Disagreement } from './disagreement.ts';
export type { Due, DuePolicy, DuePreview, DueRule, ExposureRules } from './due-date.ts';
export { errorStatuses } from './error-statuses.ts';
export type { ServerEvent, ServerEventName } from './event.ts';
export { serverEventNames, serverEventSchemas } from './event.ts';
export type { EvidenceKeyAnswer, EvidenceQuery } from './evidence.ts';
export { zipType } from './evidence.ts';
export type { Explanation } from './explanation.ts';
export type { ExposureAnswer, ExposureQuery } from './exposure.ts';
export type { Feed, Import } from './feed.ts';
export type { FindingGrouping, FleetFinding } from './finding.ts';
export type { FleetDay, FleetSummary, FleetTotals } from './fleet.ts';
export type { Group } from './group.ts';
export type { Host, HostDetail, HostSortField } from './host.ts';
export { hostCountFields, hostSortFields, parseHostFilter } from './host.ts';
export type { HostActionName, HostActionsAnswer } from './host-action.ts';
export { mostActedHosts } from './host-action.ts';
export type { HostComparison } from './host-comparison.ts';
export type { AnsibleHostVariables, AnsibleInventory } from './inventory.ts';
export type { KernelPosture } from './kernel-posture.ts';
export type { Channel, Delivery, FailedEvent, Route } from './notification.ts';
export type { OddOnesOut } from './odd-ones-out.ts';
export { openApiDocument } from './openapi.ts';
export type { ContentEncoding, Method, Operation, OperationResponse } from './operation.ts';
export { contentEncodings, isPersonal, methods, type PersonalTag } from './operation.ts';
export { errorCodesOf } from './operation-errors.ts';
export type { OperationId, Operations } from './operations.ts';
export { isDownload, operationIds, operationOf, operations } from './operations.ts';
export type { OriginPreview, OriginRules } from './origin-rule.ts';
export type { InstalledPackageAnswer, UpgradablePackage, VulnerablePackage } from './package.ts';
export type { PackageHost } from './package-hosts.ts';
export type { PatchRhythm } from './patch-rhythm.ts';
export type {
  FewestMovesAnswer,
  Plan,
  PlanMove,
  PlannedHost,
  PlanProgress,
  PlanProgressHost,
  SavedPlan,
} from './plan.ts';
export { mostPlannedHosts, type notCoveredCodes, shellType, yamlType } from './plan.ts';
export type { Problem } from './problem.ts';
export { problemContentType, problemSchema } from './problem.ts';
export type { PullJob } from './pull-job.ts';
export { type QuarantinedEntry, quarantineKinds } from './quarantine.ts';
export type { IssuedRegistrationToken, RegistrationToken } from './registration-token.ts';
export type { AcceptedReport, FinishedReport, Report } from './report.ts';
export type { FleetRepository, HostRepository } from './repository.ts';
export type { Sbom, SbomComponent, SbomVulnerability } from './sbom.ts';
export { cycloneDxType } from './sbom.ts';
export type { SearchAnswer } from './search.ts';
export type {
  NewCredentialAnswer,
  Passkey,
  PasskeyAnswer,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  SecondFactorMethod,
  SecondFactorRequired,
  SecondFactorState,
} from './second-factor.ts';
export type { Session } from './session.ts';
export type { Snapshot, SnapshotSummary, Upload } from './snapshot.ts';
export type { SshAccess } from './ssh-access.ts';
export type { SshHostsAnswer } from './ssh-host.ts';
export type { System } from './system.ts';
export type { TagCount, TagRule, TagRulePreview, TagRules } from './tag-rule.ts';
export type { TimeToPatchAnswer } from './time-to-patch.ts';
export type { UpgradePlan } from './upgrade-plan.ts';
export type { Invitation, IssuedInvitation, SignedIn, User, UserAccount } from './user.ts';
export { parseEmail, passwordFault } from './user.ts';
export type { VexImport } from './vex.ts';
export type { Waiver, WaiverPreview } from './waiver.ts';
