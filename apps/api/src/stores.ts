import { parseHostFilter } from '@plimsoll/contract';
import {
  type AdvisoryViews,
  type AlikeHostStore,
  type ApiKeyStore,
  type AssessmentStore,
  type AuditStore,
  type BulletinMaker,
  type BulletinStore,
  type ChallengeStore,
  type ChannelStore,
  type CollectorStore,
  type CveBackgroundStore,
  type CveHostStore,
  type CveStore,
  createAdvisoryViews,
  createAlikeHostStore,
  createApiKeyStore,
  createAssessmentStore,
  createAuditStore,
  createBulletinMaker,
  createBulletinStore,
  createChallengeStore,
  createChannelStore,
  createCollectorStore,
  createCveBackgroundStore,
  createCveHostStore,
  createCveStore,
  createDeliveryStore,
  createDownloadStore,
  createDuePreviewStore,
  createEnrolmentStore,
  createEvidenceKeyStore,
  createEvidenceStore,
  createExplainStore,
  createExposureStore,
  createFailedEventStore,
  createFeedStore,
  createFindingStore,
  createFleetStore,
  createGroupStore,
  createHostHistory,
  createHostLifeStore,
  createHostStore,
  createIdentityStore,
  createImportStore,
  createInstanceStore,
  createInvitationStore,
  createKnowledgeMemories,
  createKnownUploadStore,
  createMailConfirmationStore,
  createMessageAllowances,
  createOddHostStore,
  createPasskeyStore,
  createPatchRhythmStore,
  createPolicyStore,
  createPullJobStore,
  createRecountStore,
  createRegistrationTokenStore,
  createRepositoryStore,
  createRoundStore,
  createRouteStore,
  createSavedPlanStore,
  createSearchStore,
  createSecondFactorStore,
  createSessionStore,
  createSetInterner,
  createSnapshotStore,
  createSshHostStore,
  createSshKeyStore,
  createTimeToPatchStore,
  createTotpStore,
  createUploadAllowances,
  createUploadStore,
  createUserStore,
  createWaiverStore,
  type Database,
  type DeliveryStore,
  type DownloadStore,
  type DuePreviewStore,
  defaultEnrolmentLimits,
  defaultUploadLimits,
  type EnrolmentLimits,
  type EnrolmentStore,
  type EvidenceKeyStore,
  type EvidenceStore,
  type ExplainStore,
  type ExposureStore,
  type FailedEventStore,
  type FeedStore,
  type FindingStore,
  type FleetStore,
  type GroupFilter,
  type GroupStore,
  type HostFilters,
  type HostHistory,
  type HostLifeStore,
  type HostStore,
  hostFiltersNamed,
  type IdentityStore,
  type ImportStore,
  type InstanceStore,
  type Interner,
  type InvitationStore,
  type KnownUploadStore,
  type MailConfirmationStore,
  type MessageAllowances,
  type OddHostStore,
  type PasskeyStore,
  type PatchRhythmStore,
  type PolicyStore,
  type PullJobStore,
  type RecountStore,
  type RegistrationTokenStore,
  type RepositoryStore,
  type RoundStore,
  type RouteStore,
  type SavedPlanStore,
  type SearchStore,
  type SecondFactorStore,
  type SessionStore,
  SetMemory,
  type SnapshotStore,
  type SshHostStore,
  type SshKeyStore,
  type TimeToPatchStore,
  type TotpStore,
  type UploadAllowances,
  type UploadLimits,
  type UploadStore,
  type UserStore,
  type WaiverStore,
} from '@plimsoll/db';

/** The hosts that the filter of a group selects; null: it has a filter that is not known. */
function parseGroup(filter: GroupFilter): HostFilters | null {
  const parsed = parseHostFilter(filter);
  return parsed === null ? null : hostFiltersNamed(parsed);
}

/** The stores that handlers call. */
export interface ApiStores {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly invitations: InvitationStore;
  readonly apiKeys: ApiKeyStore;
  readonly channels: ChannelStore;
  readonly routes: RouteStore;
  readonly deliveries: DeliveryStore;
  readonly failedEvents: FailedEventStore;
  readonly messageAllowances: MessageAllowances;
  readonly mailConfirmations: MailConfirmationStore;
  readonly bulletins: BulletinStore;
  readonly bulletinMaker: BulletinMaker;
  readonly downloads: DownloadStore;
  readonly identities: IdentityStore;
  readonly challenges: ChallengeStore;
  readonly totp: TotpStore;
  readonly passkeys: PasskeyStore;
  readonly secondFactors: SecondFactorStore;
  readonly registrationTokens: RegistrationTokenStore;
  readonly enrolments: EnrolmentStore;
  readonly hosts: HostStore;
  readonly hostLife: HostLifeStore;
  readonly groups: GroupStore;
  readonly uploads: UploadStore;
  readonly knownUploads: KnownUploadStore;
  /** Stores nothing except package sets. */
  readonly interner: Interner;
  readonly uploadAllowances: UploadAllowances;
  readonly policies: PolicyStore;
  readonly duePreviews: DuePreviewStore;
  readonly waivers: WaiverStore;
  readonly recounts: RecountStore;
  readonly repositories: RepositoryStore;
  readonly snapshots: SnapshotStore;
  readonly assessments: AssessmentStore;
  readonly savedPlans: SavedPlanStore;
  readonly advisoryViews: AdvisoryViews;
  readonly explanations: ExplainStore;
  readonly evidence: EvidenceStore;
  readonly evidenceKeys: EvidenceKeyStore;
  readonly exposures: ExposureStore;
  readonly cves: CveStore;
  readonly cveBackgrounds: CveBackgroundStore;
  readonly cveHosts: CveHostStore;
  readonly alikeHosts: AlikeHostStore;
  readonly feeds: FeedStore;
  readonly findings: FindingStore;
  readonly fleet: FleetStore;
  readonly search: SearchStore;
  readonly timeToPatch: TimeToPatchStore;
  readonly oddHosts: OddHostStore;
  readonly patchRhythms: Pick<PatchRhythmStore, 'ofHost'>;
  readonly history: HostHistory;
  readonly imports: ImportStore;
  readonly sshHosts: SshHostStore;
  readonly sshKeys: SshKeyStore;
  readonly pullJobs: PullJobStore;
  readonly collectors: CollectorStore;
  readonly audit: AuditStore;
  readonly instances: InstanceStore;
  readonly rounds: Pick<RoundStore, 'list'>;
}

/** All stores of the API, on one database. */
export function createStores(
  database: Database,
  uploadLimits: UploadLimits = defaultUploadLimits,
  enrolmentLimits: EnrolmentLimits = defaultEnrolmentLimits,
): ApiStores {
  const sets = new SetMemory();
  const memories = createKnowledgeMemories(database);
  const findings = createFindingStore(database);
  return {
    users: createUserStore(database),
    sessions: createSessionStore(database),
    invitations: createInvitationStore(database),
    apiKeys: createApiKeyStore(database),
    channels: createChannelStore(database),
    routes: createRouteStore(database),
    deliveries: createDeliveryStore(database),
    failedEvents: createFailedEventStore(database),
    messageAllowances: createMessageAllowances(database),
    mailConfirmations: createMailConfirmationStore(database),
    bulletins: createBulletinStore(database),
    bulletinMaker: createBulletinMaker(database, { findings, parseGroup }),
    downloads: createDownloadStore(database),
    identities: createIdentityStore(database),
    challenges: createChallengeStore(database),
    totp: createTotpStore(database),
    passkeys: createPasskeyStore(database),
    secondFactors: createSecondFactorStore(database),
    registrationTokens: createRegistrationTokenStore(database),
    enrolments: createEnrolmentStore(database, enrolmentLimits),
    hosts: createHostStore(database),
    hostLife: createHostLifeStore(database),
    groups: createGroupStore(database),
    uploads: createUploadStore(database, uploadLimits),
    knownUploads: createKnownUploadStore(database, uploadLimits),
    interner: createSetInterner(database),
    uploadAllowances: createUploadAllowances(database, uploadLimits),
    policies: createPolicyStore(database),
    duePreviews: createDuePreviewStore(database),
    waivers: createWaiverStore(database),
    recounts: createRecountStore(database),
    repositories: createRepositoryStore(database),
    snapshots: createSnapshotStore(database),
    assessments: createAssessmentStore(database, memories),
    savedPlans: createSavedPlanStore(database),
    advisoryViews: createAdvisoryViews(database, sets),
    explanations: createExplainStore(database),
    evidence: createEvidenceStore(database),
    evidenceKeys: createEvidenceKeyStore(database),
    exposures: createExposureStore(database),
    cves: createCveStore(database),
    cveBackgrounds: createCveBackgroundStore(database),
    cveHosts: createCveHostStore(database, sets),
    alikeHosts: createAlikeHostStore(database),
    feeds: createFeedStore(database),
    findings,
    fleet: createFleetStore(database),
    search: createSearchStore(database),
    timeToPatch: createTimeToPatchStore(database),
    oddHosts: createOddHostStore(database),
    patchRhythms: createPatchRhythmStore(database),
    history: createHostHistory(database, memories),
    imports: createImportStore(database),
    sshHosts: createSshHostStore(database),
    sshKeys: createSshKeyStore(database),
    pullJobs: createPullJobStore(database),
    collectors: createCollectorStore(database),
    audit: createAuditStore(database),
    instances: createInstanceStore(database),
    rounds: createRoundStore(database),
  };
}
