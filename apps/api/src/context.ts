import type { OwnFiles } from '@plimsoll/advisories';
import type { Database } from '@plimsoll/db';
import type { Logger, Metrics } from '@plimsoll/observability';
import type { JobQueue, jobs } from '@plimsoll/queue';
import type { LoginLimiter } from './auth/login-limiter.ts';
import type { LoginLimits } from './auth/login-limits.ts';
import type { Passwords } from './auth/passwords.ts';
import type { SetupGate } from './auth/setup-gate.ts';
import type { UserTokens } from './auth/user-tokens.ts';
import type { Dashboard } from './dashboard/read-dashboard.ts';
import type { EventHub } from './events/event-hub.ts';
import type { LargeReadLimits, LargeReads } from './reads/large-reads.ts';
import type { Reader } from './reads/reader.ts';
import type { CollectorKeeper } from './scripts/collector-keeper.ts';
import type { HostScripts } from './scripts/host-scripts.ts';
import type { ApiStores } from './stores.ts';
import type { KeptCertificate } from './tls/kept-certificate.ts';
import type { RefusalNotes } from './uploads/refusal-notes.ts';
import type { UploadGate } from './uploads/upload-gate.ts';
import type { UploadRefusals } from './uploads/upload-refusals.ts';
import type { UploadThreads } from './uploads/upload-threads.ts';

/** What the API needs to know. */
export interface ApiSettings {
  /** At least 32 bytes. */
  readonly jwtSecretKey: string;
  readonly tokenLifetimeMinutes: number;
  /** The code that setup requires; null: setup needs no code. */
  readonly setupCode: string | null;
  /** Where users and agents reach us; null: what each request says. */
  readonly publicUrl: string | null;
  /** Addresses and networks whose X-Forwarded headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly reportIntervalSeconds: number;
  /** Without a new report for so long a manual host is stale. */
  readonly manualStaleAfterSeconds: number;
  /** Holds the public key that private SSH keys are sealed to; null: no key can be made. */
  readonly sealingPublicKeyFile: string | null;
  /** Files of feeds that the operator has put in place of a feed's own. */
  readonly ownFeedFiles: OwnFiles;
  readonly loginLimits: LoginLimits;
  readonly largeReadLimits: LargeReadLimits;
  /** bcrypt's work factor. */
  readonly passwordCost: number;
  /** What carries the queue. */
  readonly queueBackend: 'redis' | 'postgres';
  /** The built uploads/upload-thread.ts, which reads large uploads. */
  readonly uploadThreadFile: string;
}

/** What the API needs of the queue. */
export type ApiQueue = Pick<JobQueue<typeof jobs>, 'ring' | 'ping' | 'counts'>;

/** Everything the API stands on. */
export interface ApiContext {
  readonly settings: ApiSettings;
  readonly database: Database;
  readonly stores: ApiStores;
  readonly queue: ApiQueue;
  /** Carries out large reads beside the event loop; null: handlers do it in the event loop. */
  readonly reader: Reader | null;
  readonly scripts: HostScripts;
  readonly dashboard: Dashboard;
  readonly events: EventHub;
  readonly collectorKeeper: CollectorKeeper;
  /** Names of the migrations that the database lacks. */
  pendingMigrations(): Promise<readonly string[]>;
  /** What the API's own TLS uses; null: it speaks plain http. */
  readonly certificate: KeptCertificate | null;
  readonly metrics: Metrics;
  readonly logger: Logger;
  clock(): Date;
}

/** What handlers work with: the context, and what one app keeps of its own. */
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
  /** The contract as OpenAPI, in JSON. */
  readonly openApi: Uint8Array;
}
