import type { OwnFiles } from '@plimsoll/advisories';
import type { Database } from '@plimsoll/db';
import type { Logger, Metrics } from '@plimsoll/process';
import type { JobQueue, jobs } from '@plimsoll/queue';
import type { UserTokens } from './auth/authenticate.ts';
import type { LoginLimiter } from './auth/login-limiter.ts';
import type { LoginLimits } from './auth/login-limits.ts';
import type { Passwords } from './auth/passwords.ts';
import type { SetupGate } from './auth/setup-gate.ts';
import type { Dashboard } from './dashboard/read-dashboard.ts';
import type { EventHub } from './events/event-hub.ts';
import type { LargeReadLimits, LargeReads } from './reads/large-reads.ts';
import type { Reader } from './reads/reader.ts';
import type { CollectorKeeper } from './scripts/collector-keeper.ts';
import type { HostScripts } from './scripts/host-scripts.ts';
import type { ApiStores } from './stores.ts';
import type { KeptCertificate } from './tls/kept-certificate.ts';
import type { UploadThreads } from './uploads/receive-upload.ts';
import type { RefusalNotes } from './uploads/refusal-notes.ts';
import type { UploadGate } from './uploads/upload-gate.ts';
import type { UploadRefusals } from './uploads/upload-refusals.ts';

/** The API's settings. */
export interface ApiSettings {
  /** At least 32 bytes. */
  readonly jwtSecretKey: string;
  readonly tokenLifetimeMinutes: number;
  /** The code that setup requires; null if setup needs no code. */
  readonly setupCode: string | null;
  /** The URL under which users and agents reach the API; null: taken from each request. */
  readonly publicUrl: string | null;
  /** Addresses and networks whose X-Forwarded headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly reportIntervalSeconds: number;
  /** Seconds without a new report after which a manual host is stale. */
  readonly manualStaleAfterSeconds: number;
  /** The file with the public key that private SSH keys are sealed to; null: no key pair can be made. */
  readonly sealingPublicKeyFile: string | null;
  /** The operator's feed files that replace those of a feed. */
  readonly ownFeedFiles: OwnFiles;
  readonly loginLimits: LoginLimits;
  readonly largeReadLimits: LargeReadLimits;
  /** bcrypt's work factor. */
  readonly passwordCost: number;
  /** The backend of the queue. */
  readonly queueBackend: 'redis' | 'postgres';
  /** The built uploads/upload-thread.ts, which reads large uploads. */
  readonly uploadThreadFile: string;
}

/** The parts of the queue that the API uses. */
export type ApiQueue = Pick<JobQueue<typeof jobs>, 'ring' | 'ping' | 'counts'>;

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
  /** Names of migrations that the database has not applied. */
  pendingMigrations(): Promise<readonly string[]>;
  /** The certificate for the API's own TLS; null: it serves plain http. */
  readonly certificate: KeptCertificate | null;
  readonly metrics: Metrics;
  readonly logger: Logger;
  clock(): Date;
}

/** What handlers use: the context, and the state of one app. */
export interface ApiServices extends ApiContext {
  readonly userTokens: UserTokens;
  readonly passwords: Passwords;
  readonly loginLimiter: LoginLimiter;
  readonly largeReads: LargeReads;
  readonly setupGate: SetupGate;
  readonly uploadGate: UploadGate;
  readonly uploadThreads: UploadThreads;
  readonly refusalNotes: RefusalNotes;
  readonly uploadRefusals: UploadRefusals;
  /** The contract as OpenAPI in JSON. */
  readonly openApi: Uint8Array;
}
