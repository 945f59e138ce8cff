/** What one app may do in the database. PostgreSQL refuses everything else. */
export interface AppPrivileges {
  /**
   * By table or view of the schema `public`: privileges in the syntax of GRANT, e.g. `SELECT, UPDATE (state,
   * attempts)`. INSERT implies the sequences. A row lock (`FOR UPDATE`, `FOR KEY SHARE`) needs UPDATE on any one
   * column.
   */
  readonly tables: Readonly<Record<string, string>>;
  /**
   * Names of functions of the schema `public`, including those called by triggers and by indexes of tables that the app
   * writes.
   */
  readonly functions: readonly string[];
  /** Whether the app reads and writes the jobs of a queue in PostgreSQL, i.e. everything in the schema `bullmq`. */
  readonly queue: boolean;
  /** Whether the app creates its own temporary tables. Apps with the queue may always create them. */
  readonly temporary: boolean;
}

/** Heartbeats of the process (packages/process). */
export const heartbeat = 'SELECT (id), INSERT, UPDATE (last_seen_at), DELETE';
/** How the rounds of the process went (packages/process). */
export const notedRounds = 'SELECT, INSERT, UPDATE (last_ok_at, failed_at, error)';
/** The database sets the time of audit events, and they are never changed. */
export const auditEntry =
  'INSERT (id, action, actor_kind, actor_id, actor_name, ip_address, request_id, target_kind, target_id, target_name, details)';
/** Locking a host needs UPDATE on one column. A wrong creation date is the least harmful misuse. */
export const lockHost = 'UPDATE (created_at)';
/** Pulls end with their uploads (fleet/ssh/pull-schedule.ts), in whichever app ends the upload. */
export const endedJob = 'SELECT, UPDATE (finished_at, status, error_code, error_message)';
/** As endedJob, of the host's schedule. */
export const endedTarget =
  'SELECT (host_id, next_pull_at, frequency_minutes, failures, first_pulled_at, created_at), UPDATE (next_pull_at, failures, first_pulled_at)';
/** The columns of a host's contact that storing an upload changes (uploads.ts). */
export const acceptedContact =
  'SELECT, UPDATE (sequence, last_upload_id, content_hash, last_seen_at, last_confirmed_at, booted_at, lists_at, collected_at)';
/** The allowance of a host, or of those that share one. */
export const allowance = 'SELECT, INSERT, UPDATE (uploads_whole_at, bytes_whole_at, entries_whole_at)';
/** Refused uploads are counted in one row. */
export const refusedUpload = 'INSERT, UPDATE (refusals, errors, ended_at)';
/** What a host observed of its repositories. */
export const observedRefreshes =
  'SELECT, INSERT (host_id, refreshes, digest), UPDATE (refreshes, digest, due)';

/** What reads judged hosts judges what is due before (fleet/hosts/judge-due.ts). */
export const judging = {
  host_state:
    'SELECT, UPDATE (status, coverage, updates_state, repositories_state, gaps, overall_action, patch_rhythm, approval, mode, judged_until)',
  patch_rhythms: 'SELECT (host_id, overdue_at)',
  judgements_due: 'SELECT, INSERT (host_id), UPDATE (n), DELETE',
} as const;

/** Reads what is and was known of advisories, and the state of their feeds. */
export const readKnowledge = {
  releases: 'SELECT',
  release_lifecycles: 'SELECT',
  repository_products: 'SELECT',
  feed_files: 'SELECT',
  feed_releases: 'SELECT',
  feed_syncs: 'SELECT',
  advisories: 'SELECT',
  advisory_packages: 'SELECT',
  package_version_advisories: 'SELECT',
  knowledge_changes: 'SELECT',
  knowledge_change_entries: 'SELECT',
  past_advisories: 'SELECT',
  past_statements: 'SELECT',
  past_matches: 'SELECT',
  past_cve_facts: 'SELECT',
  advisories_ever: 'SELECT',
  statements_ever: 'SELECT',
  matches_ever: 'SELECT',
  cves: 'SELECT',
  feed_overrides: 'SELECT',
} as const;
/** Reads which packages and findings hosts had at any time. */
export const readHostHistory = {
  package_changes: 'SELECT',
  host_changes: 'SELECT',
  history_bounds: 'SELECT',
  package_versions: 'SELECT',
  upgrades: 'SELECT',
} as const;
/** Reads which program migrated the database: each process ends on a schema that is newer than its own. */
export const readSchema = { _prisma_migrations: 'SELECT', schema_state: 'SELECT' } as const;
/** Stores the file of an import, which the advisory-worker reads. */
export const storedImport = {
  feed_imports: 'SELECT, INSERT, UPDATE (state, bytes), DELETE',
  feed_import_chunks: 'SELECT, INSERT',
} as const;
