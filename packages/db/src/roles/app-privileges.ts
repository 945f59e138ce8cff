import { serviceApps } from '@plimsoll/model';

/** Every app with its own database role. `cli` is for `plimsoll` commands that run beside the service. */
export const appNames = [...serviceApps, 'cli'] as const;

/** An app with its own database role. */
export type AppName = (typeof appNames)[number];

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
const heartbeat = 'SELECT (id), INSERT, UPDATE (last_seen_at), DELETE';
/** The database sets the time of audit events, and they are never changed. */
const auditEntry =
  'INSERT (id, action, actor_kind, actor_id, actor_name, ip_address, request_id, target_kind, target_id, target_name, details)';
/** Locking a host needs UPDATE on one column. A wrong creation date is the least harmful misuse. */
const lockHost = 'UPDATE (created_at)';
/** Pulls end with their uploads (ssh/pull-schedule.ts), in whichever app ends the upload. */
const endedJob = 'SELECT, UPDATE (finished_at, status, error_code, error_message)';
const endedTarget =
  'SELECT (host_id, next_pull_at, frequency_minutes, failures, first_pulled_at, created_at), UPDATE (next_pull_at, failures, first_pulled_at)';
/** The columns of a host's contact that storing an upload changes (uploads.ts). */
const acceptedContact =
  'SELECT, UPDATE (sequence, last_upload_id, content_hash, last_seen_at, last_confirmed_at, booted_at, lists_at, collected_at)';
const allowance = 'SELECT, INSERT, UPDATE (uploads_whole_at, bytes_whole_at, entries_whole_at)';
/** Refused uploads are counted in one row. */
const refusedUpload = 'INSERT, UPDATE (refusals, errors, ended_at)';
const observedRefreshes = 'SELECT, INSERT (host_id, refreshes, digest), UPDATE (refreshes, digest, due)';

/**
 * The only definition of which app may access which table; `plimsoll migrate` derives GRANT and REVOKE from it. A new
 * table needs an entry for each app that uses it. Tests run the apps under their roles, and try every access that has
 * no entry here.
 */
export const appPrivileges: Readonly<Record<AppName, AppPrivileges>> = {
  api: {
    queue: true,
    temporary: false,
    functions: ['notify_change', 'machine_key', 'end_tokens_of_hosts', 'tag_rule_applies'],
    tables: {
      _prisma_migrations: 'SELECT',
      users: 'SELECT, INSERT, UPDATE, DELETE',
      sessions: 'SELECT, INSERT, UPDATE, DELETE',
      invitations: 'SELECT, INSERT, DELETE',
      api_keys: 'SELECT, INSERT, UPDATE (last_used_at), DELETE',
      user_identities: 'SELECT, INSERT',
      spent_sign_ins: 'SELECT, INSERT, DELETE',
      rate_limits: 'SELECT, INSERT, UPDATE, DELETE',
      totp_secrets: 'SELECT, INSERT, UPDATE (sealed, confirmed_at, last_step), DELETE',
      recovery_codes: 'SELECT, INSERT, DELETE',
      passkeys: 'SELECT, INSERT, UPDATE (counter, last_used_at), DELETE',
      sign_in_challenges: 'SELECT, INSERT, UPDATE (attempts), DELETE',
      registration_tokens: 'SELECT, INSERT, UPDATE (uses, revoked_at, enrolments_whole_at, refusal_noted_at)',
      enrolments: 'SELECT, INSERT, UPDATE (host_id)',
      host_groups: 'SELECT, INSERT, UPDATE (name, filter, shared), DELETE',
      host_access_tokens: 'SELECT, INSERT, UPDATE (first_used_at, revoked_at, token_hash)',
      audit_events: `SELECT, ${auditEntry}`,
      hosts:
        'SELECT, INSERT, UPDATE (approval_status, retired_at, shares_allowance_until, display_name, set_tags, set_exposure, machine_id, hostname, machine_id_conflict_with, created_at), DELETE',
      host_contacts: `INSERT, UPDATE (stale_after_seconds), ${acceptedContact}`,
      host_state: 'SELECT, INSERT',
      host_overview: 'SELECT',
      policies: 'SELECT, INSERT, UPDATE (document, changed_at, changed_by)',
      host_refreshes: observedRefreshes,
      host_repositories: 'SELECT',
      plans: 'SELECT, INSERT, DELETE',
      plan_hosts: 'SELECT, INSERT',
      repositories: 'SELECT',
      // Only the newest upload of a pending host is kept.
      uploads: `SELECT, ${refusedUpload}, UPDATE (state, body)`,
      upload_allowances: allowance,
      shared_allowances: allowance,
      snapshots: 'SELECT, INSERT',
      folded_snapshots: 'SELECT',
      package_changes: 'SELECT',
      patch_rhythms: 'SELECT',
      host_changes: 'SELECT',
      history_bounds: 'SELECT',
      package_versions: 'SELECT',
      package_sets: 'SELECT, INSERT, UPDATE (condemned)',
      finding_lists: 'SELECT (id, entries)',
      set_postings: 'SELECT',
      posted_blocks: 'SELECT',
      interning_epoch: 'SELECT',
      upgrades: 'SELECT',
      releases: 'SELECT',
      release_coverage: 'SELECT',
      release_lifecycles: 'SELECT',
      repository_products: 'SELECT',
      feeds: 'SELECT, INSERT (id), UPDATE (consecutive_failures)',
      feed_files: 'SELECT',
      feed_releases: 'SELECT',
      feed_syncs: 'SELECT',
      feed_imports: 'SELECT, INSERT, UPDATE (state, bytes), DELETE',
      feed_import_chunks: 'SELECT, INSERT',
      advisories: 'SELECT',
      advisory_packages: 'SELECT',
      package_version_advisories: 'SELECT',
      knowledge_changes: 'SELECT',
      knowledge_change_entries: 'SELECT',
      past_advisories: 'SELECT',
      past_statements: 'SELECT',
      past_matches: 'SELECT',
      past_cve_facts: 'SELECT',
      cves: 'SELECT',
      feed_overrides: 'SELECT',
      // Stores sealed pairs but cannot read the sealed private half; only the ssh-worker can.
      ssh_key_pairs: 'SELECT (id, host_id, public_key, sealed_to, created_at), INSERT, DELETE',
      ssh_targets: 'SELECT, INSERT, UPDATE',
      pull_jobs: 'SELECT, INSERT, UPDATE, DELETE',
      collectors: 'SELECT, INSERT',
      fleet_days: 'SELECT',
      fleet_tag_days: 'SELECT',
      exposure_ends: 'SELECT',
      exposure_walks: 'SELECT',
      exposure_walk_state: 'SELECT',
      version_changes: 'SELECT (n, ids, counted)',
      recount_pieces: 'SELECT (n, hosts), INSERT (hosts)',
      waivers: 'SELECT, INSERT, UPDATE (reason, ticket_url, expires_at, ended_at, end_cause, ended_by)',
      notification_keys: 'SELECT',
      notification_events:
        'SELECT (id, n, event, at, taken_at, starts, error, next_try_at, failed_at), UPDATE (starts, next_try_at, failed_at)',
      evidence_keys: 'SELECT, INSERT, UPDATE (sealed, retired_at)',
      notification_channels: 'SELECT, INSERT, UPDATE, DELETE',
      notification_routes: 'SELECT, INSERT, UPDATE, DELETE',
      notification_bulletins: 'SELECT, INSERT, UPDATE, DELETE',
      notification_deliveries:
        'SELECT, INSERT, UPDATE (state, due_at, next_attempt_at, ended_at, end_reason)',
      notification_attempts: 'SELECT',
      instances: `SELECT, ${heartbeat}`,
    },
  },

  // Parses hostile bytes: of what it does not write, it can read only what it needs.
  'report-worker': {
    queue: true,
    temporary: false,
    functions: ['notify_change'],
    tables: {
      hosts: `SELECT (id, approval_status, registration_token_id, shares_allowance_until), ${lockHost}`,
      host_contacts:
        'SELECT (host_id, last_upload_id, content_hash, last_confirmed_at, last_seen_at, lists_at, collected_at), UPDATE (last_upload_id, content_hash, last_confirmed_at, last_seen_at, collected_at)',
      uploads:
        'SELECT, UPDATE (attempts, state, body, notes, error_code, errors, ended_at, parse_after, changes_charged)',
      upload_allowances: allowance,
      shared_allowances: allowance,
      snapshots: 'SELECT (id, host_id, sequence, received_at, collected_at, set_id), INSERT',
      feeds: 'SELECT (id), INSERT (id)',
      releases: 'SELECT, INSERT (name, feed_id, ends_at, rules), UPDATE (feed_id, ends_at)',
      package_versions: 'SELECT (id, digest, condemned), INSERT, UPDATE (condemned)',
      version_arrivals: 'INSERT',
      package_sets: 'SELECT (id, digest, condemned, n, ids), INSERT, UPDATE (condemned)',
      upgrades: 'SELECT (id, digest, condemned), INSERT, UPDATE (condemned)',
      interning_epoch: 'SELECT',
      advisory_packages: 'SELECT (release_id, name, module)',
      repository_products: 'SELECT',
      pull_jobs: endedJob,
      ssh_targets: endedTarget,
      instances: heartbeat,
    },
  },

  'advisory-worker': {
    queue: true,
    temporary: true,
    functions: ['notify_change', 'machine_key'],
    tables: {
      hosts: 'SELECT, UPDATE (hostname, ip_address, agent_version, machine_id, machine_id_conflict_with)',
      host_contacts: 'SELECT, UPDATE (sequence, repositories_state, repositories_valid_until)',
      host_state: 'SELECT, UPDATE',
      policies: 'SELECT',
      host_refreshes: 'SELECT, UPDATE (due, judged_by)',
      host_repositories: 'SELECT, INSERT, UPDATE, DELETE',
      repositories: 'SELECT, INSERT, UPDATE',
      repository_products: 'SELECT, INSERT, UPDATE, DELETE',
      uploads: 'SELECT, INSERT, UPDATE (state, ended_at)',
      snapshots: 'SELECT',
      folded_snapshots: 'SELECT',
      package_changes: 'SELECT, INSERT',
      patch_rhythms: 'SELECT (host_id, due, last_at), INSERT (host_id), UPDATE (due)',
      host_changes: 'SELECT, INSERT',
      package_versions: 'SELECT, INSERT, UPDATE',
      version_arrivals: 'SELECT, INSERT, UPDATE',
      package_sets: 'SELECT, INSERT, UPDATE (condemned)',
      finding_lists: 'SELECT (id, digest, entries, condemned), INSERT, UPDATE (condemned)',
      set_postings: 'SELECT',
      posted_blocks: 'SELECT',
      upgrades: 'SELECT, INSERT, UPDATE (condemned)',
      interning_epoch: 'SELECT',
      package_version_advisories: 'SELECT, INSERT, UPDATE, DELETE, MAINTAIN',
      knowledge_changes: 'SELECT, INSERT, UPDATE (counted)',
      knowledge_change_entries: 'SELECT, INSERT, UPDATE (hosts), DELETE',
      past_advisories: 'SELECT, INSERT',
      past_statements: 'SELECT, INSERT',
      past_matches: 'SELECT, INSERT',
      past_cve_facts: 'SELECT, INSERT',
      version_changes: 'SELECT, INSERT, UPDATE (counted, planned), DELETE',
      history_bounds: 'SELECT',
      exposure_ends: 'SELECT, INSERT, UPDATE (counts), DELETE',
      exposure_walks: 'SELECT, INSERT, UPDATE',
      exposure_walk_state: 'SELECT, INSERT, UPDATE (version_change)',
      recount_pieces: 'SELECT, INSERT, DELETE',
      waivers: 'SELECT, UPDATE (ended_at, end_cause)',
      releases: 'SELECT, INSERT, UPDATE',
      release_coverage: 'SELECT, INSERT, UPDATE',
      release_lifecycles: 'SELECT, INSERT, UPDATE, DELETE',
      feeds: 'SELECT, INSERT, UPDATE',
      feed_files: 'SELECT, INSERT, DELETE',
      feed_releases: 'SELECT, INSERT, UPDATE, DELETE',
      feed_syncs: 'SELECT, INSERT, UPDATE, DELETE',
      feed_imports: 'SELECT, UPDATE',
      feed_import_chunks: 'SELECT, DELETE',
      advisories: 'SELECT, INSERT, UPDATE, DELETE, MAINTAIN',
      advisory_packages: 'SELECT, INSERT, UPDATE, DELETE, MAINTAIN',
      cves: 'SELECT, INSERT, UPDATE, DELETE',
      feed_overrides: 'SELECT, INSERT, DELETE',
      pull_jobs: endedJob,
      ssh_targets: endedTarget,
      instances: heartbeat,
    },
  },

  'ssh-worker': {
    queue: true,
    temporary: false,
    functions: ['notify_change', 'machine_key'],
    tables: {
      audit_events: auditEntry,
      hosts: 'SELECT (id, approval_status, hostname, display_name, ip_address), UPDATE (ip_address)',
      host_contacts: acceptedContact,
      host_state: 'SELECT (host_id, reboot_state)',
      host_refreshes: observedRefreshes,
      // Excludes the bytes that hosts sent.
      uploads: `SELECT (id, host_id, door, sequence, state, error_code, errors, refusals, ended_at, received_at, size), ${refusedUpload}`,
      upload_allowances: allowance,
      ssh_key_pairs: 'SELECT, DELETE',
      ssh_targets:
        'SELECT, UPDATE (next_pull_at, failures, first_pulled_at, host_key_type, host_key_fingerprint, host_key_pinned_at, collector_pin, other_key_type, other_key_fingerprint, other_key_seen_at, previous_key_pair_id)',
      pull_jobs: 'SELECT, UPDATE',
      collectors: 'SELECT',
      instances: heartbeat,
    },
  },

  // Connects to addresses that operators name: of the fleet it reads what messages say.
  'notify-worker': {
    queue: true,
    temporary: false,
    functions: ['notify_change', 'add_notification_event'],
    tables: {
      notification_events: 'SELECT, UPDATE (taken_at, starts, error, next_try_at, failed_at)',
      notification_conditions: 'SELECT, INSERT, DELETE',
      notification_hosts: 'SELECT, INSERT, UPDATE, DELETE',
      finding_lists: 'SELECT (id, entries)',
      // When findings are due.
      policies: 'SELECT',
      snapshots: 'SELECT (id, received_at, source, collected_at, facts)',
      package_changes: 'SELECT (host_id, to_id, at)',
      patch_rhythms: 'SELECT',
      past_advisories: 'SELECT',
      past_statements: 'SELECT',
      feed_overrides: 'SELECT',
      notification_keys: 'SELECT, INSERT',
      notification_channels: 'SELECT',
      notification_routes: 'SELECT',
      notification_bulletins: 'SELECT, UPDATE (next_at, last_at, base)',
      // Whose rights a report by mail has, and which hosts its group selects.
      users: 'SELECT (id, email, role, is_limited, tags, disabled_at, access_withdrawn_at)',
      host_groups: 'SELECT',
      host_contacts: 'SELECT',
      releases: 'SELECT',
      feed_releases: 'SELECT',
      version_changes: 'SELECT (n, ids, counted)',
      notification_deliveries: 'SELECT, INSERT, UPDATE',
      notification_attempts: 'SELECT, INSERT, UPDATE',
      hosts: 'SELECT',
      host_overview: 'SELECT',
      host_state: 'SELECT',
      host_changes: 'SELECT',
      ssh_targets: 'SELECT',
      waivers:
        'SELECT (id, kind, advisories, packages, purls, host_ids, tags, all_hosts, created_by, expires_at, ended_at)',
      feeds: 'SELECT',
      knowledge_changes: 'SELECT',
      knowledge_change_entries: 'SELECT',
      package_versions: 'SELECT',
      package_sets: 'SELECT',
      set_postings: 'SELECT',
      posted_blocks: 'SELECT',
      advisories: 'SELECT',
      advisory_packages: 'SELECT',
      package_version_advisories: 'SELECT',
      cves: 'SELECT',
      instances: heartbeat,
    },
  },

  scheduler: {
    queue: true,
    temporary: false,
    functions: [
      'notify_change',
      // An index of hosts calls it: PostgreSQL checks it when an update moves a row.
      'machine_key',
      'seal_audit_events',
      'drop_audit_events',
      'drop_expired_sessions',
      'drop_payloads',
      'drop_past_knowledge',
      'drop_past_hosts',
      'fold_snapshots',
      'note_folded',
      'end_tokens_of_hosts',
      'tags_by_rule',
    ],
    tables: {
      // Retires silent hosts, and gives tags by rules.
      policies: 'SELECT, UPDATE (document)',
      hosts:
        'SELECT, UPDATE (created_at, approval_status, retired_at, shares_allowance_until, machine_id_conflict_with, set_tags)',
      host_contacts: 'SELECT (host_id, last_upload_id, last_seen_at)',
      host_state: 'SELECT',
      host_overview: 'SELECT',
      host_refreshes: 'SELECT',
      host_repositories: 'SELECT',
      repositories: 'SELECT, UPDATE (newest_at, newest_source), DELETE',
      uploads: 'SELECT (id, host_id, door, state, received_at, parse_after), DELETE',
      // For collecting unused rows.
      snapshots: 'SELECT (id, set_id, running_kernel_id, upgrade_ids)',
      folded_snapshots: 'SELECT (offer_ids)',
      // The ids also for collecting unused rows.
      package_changes: 'SELECT (host_id, sequence, at, from_id, to_id)',
      patch_rhythms:
        'SELECT, UPDATE (due, sequence, days, rounds, last_at, median_days, longest_days, overdue_at)',
      host_changes: 'SELECT (judged_kernel_id)',
      package_versions: 'SELECT (id, condemned), UPDATE (condemned), DELETE',
      version_arrivals: 'SELECT (n, ids), DELETE',
      package_sets: 'SELECT (id, ids, condemned), UPDATE (condemned), DELETE',
      finding_lists: 'SELECT (id, condemned), UPDATE (condemned), DELETE',
      notification_hosts: 'SELECT (list_id)',
      upgrades: 'SELECT (id, condemned), UPDATE (condemned), DELETE',
      interning_epoch: 'SELECT, UPDATE (epoch)',
      set_postings: 'SELECT, INSERT, DELETE',
      posted_blocks: 'SELECT, INSERT, UPDATE (sets)',
      // Exports the audit log, and reads whether a host was deleted recently.
      audit_events: `SELECT, ${auditEntry}`,
      audit_chain: 'SELECT',
      audit_exports: 'SELECT, INSERT (target, position), UPDATE (position, exported_at)',
      releases: 'SELECT, UPDATE (lists_unfixed)',
      release_coverage: 'SELECT, INSERT, UPDATE',
      advisories: 'SELECT',
      advisory_packages: 'SELECT',
      feeds: 'SELECT, INSERT (id), UPDATE (next_sync_at)',
      feed_releases: 'SELECT',
      feed_imports: 'SELECT, DELETE',
      ssh_targets: 'SELECT, UPDATE (next_pull_at)',
      pull_jobs: 'SELECT, INSERT, UPDATE (status, finished_at, run_id, leased_until), DELETE',
      version_changes: 'SELECT (n, counted)',
      notification_events: 'SELECT (n, at, taken_at, failed_at, next_try_at), DELETE',
      notification_deliveries:
        'SELECT (id, channel_id, state, next_attempt_at, leased_until, ended_at), DELETE',
      history_bounds: 'SELECT',
      exposure_walks: 'SELECT (host_id, sequence, due)',
      exposure_walk_state: 'SELECT',
      exposure_ends: 'SELECT (at), DELETE',
      knowledge_changes: 'SELECT (counted)',
      recount_pieces: 'SELECT (n, hosts), INSERT (hosts)',
      waivers: 'SELECT, UPDATE (ended_at, end_cause)',
      fleet_days: 'SELECT, INSERT, UPDATE, DELETE',
      fleet_tag_days: 'SELECT, INSERT, UPDATE, DELETE',
      instances: `SELECT, ${heartbeat}`,
    },
  },

  cli: {
    queue: false,
    temporary: false,
    functions: ['notify_change'],
    tables: {
      users: 'SELECT, INSERT, UPDATE, DELETE',
      // Own groups of a deleted user go, too.
      host_groups: 'SELECT (id, owner_id, shared), DELETE',
      rate_limits: 'SELECT, DELETE',
      // To remove the factors of a user who lost them.
      totp_secrets: 'SELECT (user_id), DELETE',
      recovery_codes: 'SELECT (user_id), DELETE',
      passkeys: 'SELECT (user_id), DELETE',
      audit_events: `SELECT, ${auditEntry}`,
      audit_chain: 'SELECT',
      hosts: 'SELECT',
      host_contacts: 'SELECT',
      host_state: 'SELECT',
      host_overview: 'SELECT',
      snapshots: 'SELECT',
      package_changes: 'SELECT',
      version_changes: 'SELECT (counted)',
      recount_pieces: 'SELECT (hosts)',
      policies: 'SELECT',
      waivers: 'SELECT',
      host_changes: 'SELECT',
      history_bounds: 'SELECT',
      package_versions: 'SELECT',
      version_arrivals: 'SELECT',
      package_sets: 'SELECT',
      upgrades: 'SELECT',
      releases: 'SELECT',
      release_lifecycles: 'SELECT',
      repository_products: 'SELECT',
      feeds: 'SELECT',
      feed_files: 'SELECT',
      feed_releases: 'SELECT',
      feed_syncs: 'SELECT',
      feed_imports: 'SELECT, INSERT, UPDATE (state, bytes), DELETE',
      feed_import_chunks: 'SELECT, INSERT',
      advisories: 'SELECT',
      advisory_packages: 'SELECT',
      package_version_advisories: 'SELECT',
      knowledge_changes: 'SELECT',
      knowledge_change_entries: 'SELECT',
      past_advisories: 'SELECT',
      past_statements: 'SELECT',
      past_matches: 'SELECT',
      past_cve_facts: 'SELECT',
      cves: 'SELECT',
      feed_overrides: 'SELECT',
      ssh_key_pairs: 'SELECT, UPDATE (sealed, sealed_to)',
    },
  },
};
