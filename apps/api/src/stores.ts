import {
  type AdvisoryViews,
  type AssessmentStore,
  type AuditStore,
  type CollectorStore,
  type CveHostStore,
  type CveStore,
  createAdvisoryViews,
  createAssessmentStore,
  createAuditStore,
  createCollectorStore,
  createCveHostStore,
  createCveStore,
  createEnrolmentStore,
  createExplainStore,
  createFeedStore,
  createFleetStore,
  createHostHistory,
  createHostStore,
  createImportStore,
  createInstanceStore,
  createPullJobStore,
  createRegistrationTokenStore,
  createRepositoryStore,
  createSnapshotStore,
  createSshHostStore,
  createSshKeyStore,
  createUploadAllowances,
  createUploadStore,
  createUserStore,
  type Database,
  defaultEnrolmentLimits,
  defaultUploadLimits,
  type EnrolmentLimits,
  type EnrolmentStore,
  type ExplainStore,
  type FeedStore,
  type FleetStore,
  type HostHistory,
  type HostStore,
  type ImportStore,
  type InstanceStore,
  type PullJobStore,
  type RegistrationTokenStore,
  type RepositoryStore,
  type SnapshotStore,
  type SshHostStore,
  type SshKeyStore,
  type UploadAllowances,
  type UploadLimits,
  type UploadStore,
  type UserStore,
} from '@plimsoll/db';

/** The stores that handlers call. */
export interface ApiStores {
  readonly users: UserStore;
  readonly registrationTokens: RegistrationTokenStore;
  readonly enrolments: EnrolmentStore;
  readonly hosts: HostStore;
  readonly uploads: UploadStore;
  readonly uploadAllowances: UploadAllowances;
  readonly repositories: RepositoryStore;
  readonly snapshots: SnapshotStore;
  readonly assessments: AssessmentStore;
  readonly advisoryViews: AdvisoryViews;
  readonly explanations: ExplainStore;
  readonly cves: CveStore;
  readonly cveHosts: CveHostStore;
  readonly feeds: FeedStore;
  readonly fleet: FleetStore;
  readonly history: HostHistory;
  readonly imports: ImportStore;
  readonly sshHosts: SshHostStore;
  readonly sshKeys: SshKeyStore;
  readonly pullJobs: PullJobStore;
  readonly collectors: CollectorStore;
  readonly audit: AuditStore;
  readonly instances: InstanceStore;
}

/** All stores of the API, on one database. */
export function createStores(
  database: Database,
  uploadLimits: UploadLimits = defaultUploadLimits,
  enrolmentLimits: EnrolmentLimits = defaultEnrolmentLimits,
): ApiStores {
  return {
    users: createUserStore(database),
    registrationTokens: createRegistrationTokenStore(database),
    enrolments: createEnrolmentStore(database, enrolmentLimits),
    hosts: createHostStore(database),
    uploads: createUploadStore(database, uploadLimits),
    uploadAllowances: createUploadAllowances(database, uploadLimits),
    repositories: createRepositoryStore(database),
    snapshots: createSnapshotStore(database),
    assessments: createAssessmentStore(database),
    advisoryViews: createAdvisoryViews(database),
    explanations: createExplainStore(database),
    cves: createCveStore(database),
    cveHosts: createCveHostStore(database),
    feeds: createFeedStore(database),
    fleet: createFleetStore(database),
    history: createHostHistory(database),
    imports: createImportStore(database),
    sshHosts: createSshHostStore(database),
    sshKeys: createSshKeyStore(database),
    pullJobs: createPullJobStore(database),
    collectors: createCollectorStore(database),
    audit: createAuditStore(database),
    instances: createInstanceStore(database),
  };
}
