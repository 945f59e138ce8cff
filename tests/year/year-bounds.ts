import type { YearRetention } from './year-retention.ts';

/** What a year brought. */
export interface YearSize {
  readonly days: number;
  /** Hosts that ever enrolled, and reports that they sent. */
  readonly hosts: number;
  readonly reports: number;
  /** Host tokens that were replaced. */
  readonly tokens: number;
  /** Package versions and updates that reports named. */
  readonly versions: ReadonlySet<string>;
  readonly upgrades: ReadonlySet<string>;
  /** Advisories that were published. */
  readonly advisories: number;
}

/** What is promised of a table: no row fulfils a condition (SQL), or it has at most so many rows (SQL or a number). */
export type YearBound =
  | { readonly kind: 'none'; readonly where: string }
  | { readonly kind: 'most'; readonly rows: string };

/** Rounds that delete by days run a day after the end of the last run, and whole days and months are folded. */
const slackDays = 2;
/** What a daily round may take, with the steps of the clock. */
const slackHours = 6;

const none = (where: string): YearBound => ({ kind: 'none', where });
const most = (rows: number | string): YearBound => ({ kind: 'most', rows: String(rows) });
const rowsOf = (table: string): string => `(SELECT count(*) FROM ${table})`;
const days = (count: number): string => `(now() - interval '${count + slackDays} days ${slackHours} hours')`;
const hours = (count: number): string => `(now() - interval '${count} hours')`;
const older = (column: string, count: number): YearBound => none(`${column} < ${days(count)}`);
/** What ends at a time is deleted by the next round, which runs every hour of a year. */
const over = (column: string): YearBound => none(`${column} < ${hours(2)}`);

/** By table, what docs/operations/retention.md promises at the end of a year. */
export function yearBounds(
  retention: YearRetention,
  { days: length, hosts, reports, tokens, versions, upgrades, advisories }: YearSize,
): Readonly<Record<string, YearBound>> {
  const perHost = (rows: number): YearBound => most(hosts * rows);
  const times = (every: number): number => Math.ceil(length / every) + 1;
  /** Of the past of advisories and matches, what ended before the history. */
  const past = older('until', retention.history);
  return {
    // People
    users: most(3 + 2),
    sessions: none(
      `least(ends_at, idle_ends_at) < ${hours(2)}
       OR generation <> (SELECT token_generation FROM users u WHERE u.id = user_id)`,
    ),
    api_keys: most(1 + times(8)),
    user_identities: most(0),
    spent_sign_ins: over('expires_at'),
    downloads: over('expires_at'),
    totp_secrets: most(0),
    recovery_codes: most(0),
    passkeys: most(0),
    sign_in_challenges: over('expires_at'),
    invitations: over('expires_at'),
    rate_limits: over('to_timestamp(expire / 1000)'),
    policies: most(3),

    // Hosts
    hosts: most(30 + 2),
    host_groups: most(0),
    host_access_tokens: most(hosts + tokens),
    registration_tokens: most(1 + times(9)),
    enrolments: most(hosts),
    host_contacts: perHost(1),
    host_refreshes: perHost(1),
    repositories: none(`publisher_at IS NULL AND NOT EXISTS (
      SELECT FROM host_repositories h WHERE h.repository_id = repositories.id)`),
    host_repositories: perHost(10),
    host_state: perHost(1),
    judgements_due: perHost(2),
    plans: most(1),
    plan_hosts: most(3),
    waivers: most(times(6)),
    ssh_key_pairs: most(1),
    ssh_targets: most(0),
    pull_jobs: none(
      `10 <= (SELECT count(*) FROM pull_jobs p WHERE p.host_id = pull_jobs.host_id AND p.id > pull_jobs.id)`,
    ),
    collectors: most(10),

    // The service
    instances: older('last_seen_at', 0),
    rounds: most(60),
    audit_events: older('at', retention.audit),
    audit_chain: most(1),
    audit_exports: most(2),
    evidence_keys: most(0),
    fleet_days: older('day', retention.trend),
    fleet_tag_days: older('day', retention.trend),

    // Reports
    uploads: none(`received_at < ${days(retention.uploads)} AND sequence < (
      SELECT max(u.sequence) FROM uploads u WHERE u.host_id = uploads.host_id)`),
    upload_allowances: perHost(1),
    shared_allowances: most(1 + times(9)),
    snapshots: none(`EXISTS (
      SELECT FROM snapshots later WHERE later.host_id = snapshots.host_id AND later.sequence > snapshots.sequence
        AND (snapshots.payload IS NOT NULL AND snapshots.received_at < ${days(retention.payloads)}
          OR later.received_at < ${days(retention.history)}
          OR later.received_at < ${days(retention.full)}
            AND date_trunc('day', later.received_at, 'UTC') = date_trunc('day', snapshots.received_at, 'UTC')
          OR later.received_at < date_trunc('month', ${days(retention.daily)}, 'UTC')
            AND date_trunc('month', later.received_at, 'UTC') = date_trunc('month', snapshots.received_at, 'UTC')))`),
    folded_snapshots: none('NOT EXISTS (SELECT FROM snapshots s WHERE s.id = snapshot_id)'),
    package_changes: most(reports),
    patch_rhythms: perHost(1),
    host_changes:
      none(`NOT is_first AND booted_kernel_id IS NULL AND at < ${days(retention.full)} AND EXISTS (
      SELECT FROM host_changes later WHERE later.host_id = host_changes.host_id AND later.at > host_changes.at
        AND later.at < ${days(retention.full)}) AND NOT EXISTS (
      SELECT FROM snapshots s WHERE s.host_id = host_changes.host_id AND s.sequence = host_changes.sequence)`),
    exposure_counts: older('until', retention.history),
    exposure_walks: perHost(1),
    exposure_walk_state: most(1),

    // What reports have in common
    releases: most(10),
    release_coverage: none(`EXISTS (
      SELECT FROM release_coverage later WHERE later.release_id = release_coverage.release_id
        AND later.at > release_coverage.at AND later.at < ${days(retention.history)})`),
    package_versions: most(versions.size),
    version_arrivals: most(rowsOf('package_versions')),
    version_changes: most(256 * 2),
    recount_pieces: most(0),
    package_sets: most(rowsOf('snapshots')),
    finding_lists: most(`${rowsOf('package_sets')} + ${hosts}`),
    set_postings: most(`${rowsOf('package_versions')} * ${rowsOf('posted_blocks')}`),
    posted_blocks: most(rowsOf('package_sets')),
    upgrades: most(upgrades.size),
    interning_epoch: most(1),

    // Advisories
    feeds: most(60),
    feed_releases: most(100),
    feed_syncs: most(60),
    feed_files: most(100),
    feed_imports: most(0),
    feed_import_chunks: most(0),
    advisories: most(advisories),
    advisory_packages: most(advisories),
    feed_overrides: most(100),
    cves: most(advisories + 1),
    repository_products: most(0),
    release_lifecycles: most(100),
    package_version_advisories: most(
      rowsOf('package_versions v JOIN advisory_packages a ON a.name IN (v.name, v.source_name)'),
    ),
    knowledge_changes: none(`counted AND at < ${days(retention.history)}`),
    knowledge_change_entries: most(`${rowsOf('knowledge_changes')} * ${advisories}`),
    history_bounds: most(1),
    past_advisories: past,
    past_statements: past,
    past_matches: past,
    past_cve_facts: past,

    // Notifications
    notification_keys: most(1),
    mail_confirmations: over('expires_at'),
    notification_channels: most(1),
    notification_routes: most(2),
    notification_bulletins: most(0),
    notification_conditions: most(hosts * 3 + 60),
    notification_hosts: perHost(1),
    notification_events: none(
      `(taken_at IS NOT NULL OR failed_at IS NOT NULL) AND at < ${days(retention.deliveries)}`,
    ),
    notification_deliveries: older('ended_at', retention.deliveries),
    notification_attempts: older('ended_at', retention.deliveries),

    // The schema
    schema_state: most(1),
    retention_clock: most(1),
    _prisma_migrations: most(100),
  };
}
