import type { Database, SchemaCheck } from '@plimsoll/db';
import type { Logger, Metrics } from '@plimsoll/process';
import type { JobQueue, jobs, QueueBackend } from '@plimsoll/queue';
import type { AccessNotes } from './auth/access-notes.ts';
import type { DownloadCookies } from './auth/download-cookie.ts';
import type { LoginLimiter } from './auth/login-limiter.ts';
import type { LoginLimits } from './auth/login-limits.ts';
import type { Passwords } from './auth/passwords.ts';
import type { RefreshTokens } from './auth/refresh-tokens.ts';
import type { ProofSettings } from './auth/require-proof.ts';
import type { SetupGate } from './auth/setup-gate.ts';
import type { UserTokens } from './auth/user-tokens.ts';
import type { Dashboard } from './dashboard/read-dashboard.ts';
import type { EventHub } from './events/event-hub.ts';
import type { EvidenceSecrets } from './evidence/evidence-secrets.ts';
import type { OidcSettings } from './oidc/oidc-settings.ts';
import type { OidcSignIn } from './oidc/oidc-sign-in.ts';
import type { Readiness } from './readiness/check-readiness.ts';
import type { SystemChecks } from './readiness/system-checks.ts';
import type { LargeReadLimits, LargeReads } from './reads/large-reads.ts';
import type { Reader } from './reads/reader.ts';
import type { CollectorKeeper } from './scripts/collector-keeper.ts';
import type { HostScripts } from './scripts/host-scripts.ts';
import type { FactorLimiter } from './second-factors/factor-limiter.ts';
import type { FactorSecrets } from './second-factors/factor-secrets.ts';
import type { ApiStores } from './stores.ts';
import type { KeptCertificate } from './tls/kept-certificate.ts';
import type { UploadThreads } from './uploads/receive-upload.ts';
import type { RefusalNotes } from './uploads/refusal-notes.ts';
import type { UploadGate } from './uploads/upload-gate.ts';
import type { UploadRefusals } from './uploads/upload-refusals.ts';

/** The API's settings. */
export interface ApiSettings extends ProofSettings {
  /** At least 32 bytes. */
  readonly jwtSecretKey: string;
  /** Tokens signed with it stay valid; null: there is none. */
  readonly previousJwtSecretKey: string | null;
  /** Of a session without refresh cookie. */
  readonly tokenLifetimeMinutes: number;
  /** Of a session with refresh cookie: without a refresh, and in any case. */
  readonly sessionIdleMinutes: number;
  readonly sessionLifetimeMinutes: number;
  /** Of an access token beside a refresh cookie. */
  readonly accessTokenSeconds: number;
  /** The code that setup requires; null if setup needs no code. */
  readonly setupCode: string | null;
  /** The OpenID Connect provider; null: none. */
  readonly oidc: OidcSettings | null;
  /** The URL under which users and agents reach the API; null: taken from each request. */
  readonly publicUrl: string | null;
  /** Days for which browsers use only https after an answer over TLS; 0: as they like. */
  readonly hstsDays: number;
  /** The token for metrics and details of readiness; null: only requests of this machine get them. */
  readonly metricsToken: string | null;
  /** The contact in security.txt; null: the API serves no security.txt. */
  readonly securityContact: string | null;
  /** Addresses and networks whose X-Forwarded headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly reportIntervalSeconds: number;
  /** Days after which a host gets a new token; 0: never. */
  readonly hostTokenDays: number;
  /** The header in which a trusted proxy names the client's certificate; null: agents need none. */
  readonly clientNameHeader: string | null;
  /** Seconds without a new report after which a manual host is stale. */
  readonly manualStaleAfterSeconds: number;
  /** The file with the public key that private SSH keys are sealed to; null: no key pair can be made. */
  readonly sealingPublicKeyFile: string | null;
  /** Domains to which e-mail may go; empty: any. */
  readonly mailDomains: readonly string[];
  readonly loginLimits: LoginLimits;
  readonly largeReadLimits: LargeReadLimits;
  /** Within which a notify-worker takes the test of a channel. */
  readonly channelTestSeconds: number;
  /** bcrypt's work factor. */
  readonly passwordCost: number;
  /** The backend of the queue. */
  readonly queueBackend: QueueBackend;
  /** The folders of the service whose disks are watched. */
  readonly dataDir: string;
  readonly downloadDir: string;
  /** The built uploads/upload-thread.ts, which reads large uploads. */
  readonly uploadThreadFile: string;
}

/** The parts of the queue that the API uses. */
export type ApiQueue = Pick<JobQueue<typeof jobs>, 'ring' | 'ping' | 'counts' | 'memory'>;

/** The API's dependencies. */
export interface ApiContext {
  readonly settings: ApiSettings;
  readonly database: Database;
  readonly stores: ApiStores;
  readonly queue: ApiQueue;
  /** Runs large reads outside the event loop; null: handlers run them in the event loop. */
  readonly reader: Reader | null;
  readonly scripts: HostScripts;
  readonly dashboard: Dashboard;
  readonly events: EventHub;
  readonly collectorKeeper: CollectorKeeper;
  /** Whether the database has this program's schema. */
  readonly schema: SchemaCheck;
  /** The certificate for the API's own TLS; null: it serves plain http. */
  readonly certificate: KeptCertificate | null;
  readonly metrics: Metrics;
  readonly logger: Logger;
  clock(): Date;
}

/** What handlers use: the context, and the state of one app. */
export interface ApiServices extends ApiContext {
  /** What the API can check of the installation, at most every 30 s. */
  systemChecks(): Promise<SystemChecks>;
  /** Tries what requests need, at most once a second. */
  readiness(): Promise<Readiness>;
  readonly userTokens: UserTokens;
  readonly refreshTokens: RefreshTokens;
  readonly downloadCookies: DownloadCookies;
  readonly passwords: Passwords;
  /** Signs users in with the OpenID Connect provider; null: none. */
  readonly oidc: OidcSignIn | null;
  readonly loginLimiter: LoginLimiter;
  readonly factorLimiter: FactorLimiter;
  readonly factorSecrets: FactorSecrets;
  readonly evidenceSecrets: EvidenceSecrets;
  readonly largeReads: LargeReads;
  readonly setupGate: SetupGate;
  readonly uploadGate: UploadGate;
  readonly uploadThreads: UploadThreads;
  readonly accessNotes: AccessNotes;
  readonly refusalNotes: RefusalNotes;
  readonly uploadRefusals: UploadRefusals;
}
