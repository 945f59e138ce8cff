import type { RoundName } from '@plimsoll/model';
import type { Jobs } from '@plimsoll/queue';

/** SQL after SELECT: values of rows for the columns of their ending, by the reason why they end or stay. */
type RowsToMake = Readonly<Record<string, string>>;

/** How rows of a table end by themselves: the rounds that delete them, each with a row for each cause, and rows that stay. */
export interface Ending {
  /** SQL: the text by which a row is known. */
  readonly key: string;
  readonly columns: string;
  /** By round or job: rows that it deletes, by cause. */
  readonly over: Readonly<Partial<Record<RoundName | keyof Jobs, RowsToMake>>>;
  /** Rows that are not over, by reason. */
  readonly stays: RowsToMake;
}

/** How the rows of a table end. */
export type TableEnd =
  | ({ readonly kind: 'ends' } & Ending)
  /** With the row of another table, by a foreign key that cascades. */
  | { readonly kind: 'with'; readonly table: string }
  /** Not by time. Why the table stays bounded. */
  | { readonly kind: 'stays'; readonly reason: string };

const ends = (key: string, columns: string, over: Ending['over'], stays: RowsToMake = {}): TableEnd => ({
  kind: 'ends',
  key,
  columns,
  over,
  stays,
});
const endsWith = (table: string): TableEnd => ({ kind: 'with', table });
const stays = (reason: string): TableEnd => ({ kind: 'stays', reason });

const id = 'gen_random_uuid()';
const user = `(SELECT id FROM users WHERE email = 'ended@example.org')`;
const host = `(SELECT id FROM hosts WHERE hostname = 'alpha')`;
const other = `(SELECT id FROM hosts WHERE hostname = 'bravo')`;
const silent = `(SELECT id FROM hosts WHERE hostname = 'silent')`;
const release = `(SELECT min(release_id) FROM host_state)`;
const ago = (span: string) => `(now() - interval '${span}')`;
const past = ago('1 minute');
const soon = `(now() + interval '1 hour')`;
const milliseconds = (time: string) => `extract(epoch FROM ${time}) * 1000`;

const oneRow = stays('One row.');
const ofUsers = stays('Users make and delete them.');
const ofFeeds = stays('What feeds list now; an import deletes what they list no longer.');

const session = (generation: number, endsAt: string, idleEndsAt = 'NULL') =>
  `${id}, ${user}, ${generation}, 'password', 'token', '', ${endsAt}, ${idleEndsAt}`;
const upload = (hostId: string, state: string, receivedAt: string, sequence: number) =>
  `${id}, ${hostId}, 'agent', ${sequence}, 'protobuf', '', '${state}', ${receivedAt}`;
const snapshot = (receivedAt: string, sequence: number, payload = 'NULL') =>
  `${id}, host_id, ${sequence}, source, ${receivedAt}, schema_version, collector_version, ${payload}, payload_sha256,
   payload_size, set_id, release_id, facts, '{}' FROM snapshots WHERE host_id = ${host} AND sequence >= 1000`;
const monthAgo = `date_trunc('month', ${ago('500 days')}, 'UTC')`;
const dayAgo = `date_trunc('day', ${ago('100 days')}, 'UTC')`;
const change = (at: string, sequence: number) => `${host}, ${sequence}, ${at}, false, '', ''`;
const exposureEnd = (hostId: string, at: string, cause: string) =>
  `${hostId}, 'low', true, ${at}, ${at}, ${at}, '${cause}', 1`;
const delivery = (state: string, endedAt: string) =>
  `${id}, '', 'webhook', '', false, 'feed.failed', '${state}', '{}', ${soon}, ${soon}, ${endedAt}`;
const auditEvent = (at: string) => `${id}, ${at}, 'user.login', 'system', 'test', '{}'`;
/** Rows that ended before the history, and within it. */
const pastEnds = (columns: string, values: string): TableEnd =>
  ends(
    'until::text',
    `${columns}, since, until`,
    {
      'drop old history': {
        'it ended before the history': `${values}, ${ago('900 days')}, ${ago('801 days')}`,
      },
    },
    { 'it ended in the history': `${values}, ${ago('900 days')}, ${ago('799 days')}` },
  );
/** Interned rows are condemned by the first look and deleted by the second. */
const unused = (columns: string, values: string): TableEnd =>
  ends('id::text', columns, { 'collect unused rows': { 'nothing refers to it': values } });
/** Days of the trend. */
const days = (columns: string, values: (day: string) => string): TableEnd =>
  ends(
    'day::text',
    columns,
    { 'drop old days of the trend': { 'its time is over': values(ago('402 days')) } },
    { 'its time is not over': values(ago('399 days')) },
  );

/** Of every table, how its rows end. A new table needs a line: rows that are over for each cause, or why none is. */
export const tableEnds: Readonly<Record<string, TableEnd>> = {
  // People
  users: ofUsers,
  sessions: ends(
    'id::text',
    'id, user_id, generation, method, kind, user_agent, ends_at, idle_ends_at',
    {
      'drop ended sessions': {
        'its time is over': session(1, past),
        'it was idle too long': session(1, soon, past),
        'the password or the role changed': session(0, soon),
      },
    },
    { 'it goes on': session(1, soon, soon) },
  ),
  api_keys: stays('Their users see and delete them, also those whose time is over.'),
  user_identities: endsWith('users'),
  spent_sign_ins: ends(
    'id::text',
    'id, expires_at',
    { 'drop expired sign-ins': { 'its time is over': `${id}, ${past}` } },
    { 'its sign-in can still be repeated': `${id}, ${soon}` },
  ),
  downloads: ends(
    'id::text',
    'id, user_id, expires_at',
    { 'drop expired downloads': { 'its time is over': `${id}, ${user}, ${past}` } },
    { 'it may begin': `${id}, ${user}, ${soon}` },
  ),
  totp_secrets: endsWith('users'),
  recovery_codes: endsWith('users'),
  passkeys: endsWith('users'),
  sign_in_challenges: ends(
    `encode(digest, 'escape')`,
    'digest, purpose, expires_at',
    { 'drop expired sign-ins': { 'its time is over': `'over', 'totp', ${past}` } },
    { 'it can be answered': `'open', 'totp', ${soon}` },
  ),
  invitations: ends(
    'id::text',
    'id, email, name, role, is_limited, token_hash, invited_by, expires_at',
    {
      'drop expired invitations': {
        'its time is over': `${id}, 'over@example.org', '', 'viewer', false, 'over', '', ${past}`,
      },
    },
    { 'it is open': `${id}, 'open@example.org', '', 'viewer', false, 'open', '', ${soon}` },
  ),
  mail_confirmations: ends(
    `encode(token_hash, 'escape')`,
    'token_hash, address, expires_at, channel_id',
    {
      'drop expired invitations': {
        'its time is over': `'over', 'over@example.org', ${past}, id FROM notification_channels LIMIT 1`,
      },
    },
    { 'its link works': `'open', 'open@example.org', ${soon}, id FROM notification_channels LIMIT 1` },
  ),
  rate_limits: ends(
    'key',
    'key, expire',
    {
      'drop expired rate limits': {
        'its time is over': `'over', ${milliseconds(past)}`,
        'the wait of an account is over': `'login-wait:x', ${milliseconds(past)}`,
      },
    },
    { 'it counts': `'counts', ${milliseconds(soon)}`, 'it has no end': `'endless', NULL` },
  ),
  policies: stays('One row per kind of policy.'),

  // Hosts
  hosts: stays('Users delete them; silent ones are retired.'),
  host_groups: ofUsers,
  host_access_tokens: endsWith('hosts'),
  registration_tokens: stays('Users make them, and see those that ended.'),
  enrolments: endsWith('registration_tokens'),
  host_contacts: endsWith('hosts'),
  host_refreshes: endsWith('hosts'),
  repositories: ends(
    'name',
    'key, name, origin, suite, component, architecture, base, publisher_at',
    { 'drop unused repositories': { 'no host has it': `'unused', 'unused', '', '', '', '', '', NULL` } },
    { 'its publisher states a date': `'published', 'published', '', '', '', '', '', now()` },
  ),
  host_repositories: endsWith('hosts'),
  host_state: endsWith('hosts'),
  plans: stays('At most 1,000; users delete them.'),
  plan_hosts: endsWith('plans'),
  waivers: stays('Decisions are evidence: ended ones stay.'),
  ssh_key_pairs: stays('One of the installation, and those of hosts, which end with them.'),
  ssh_targets: endsWith('hosts'),
  pull_jobs: ends(
    'error_message',
    'id, host_id, trigger, status, error_message',
    {
      'pull due hosts': {
        'ten newer ones are kept': `'00000000-0000-7000-8000-000000000000', ${other}, 'schedule', 'failed', 'oldest'`,
      },
    },
    {
      'nine newer ones, and the new one': `('00000000-0000-7000-8000-00000000010' || n)::uuid, ${other}, 'schedule', 'failed',
        'newer ' || n FROM generate_series(1, 9) n`,
    },
  ),
  collectors: stays('One row per version of the collector; hosts may ask for old ones for years.'),

  // The service
  instances: ends(
    'id::text',
    'id, app, hostname, pid, version, last_seen_at',
    {
      'drop silent processes': {
        'it sent no sign of life for a day': `${id}, 'api', '', 1, '', ${ago('25 hours')}`,
      },
    },
    { 'it sent one': `${id}, 'api', '', 1, '', ${ago('23 hours')}` },
  ),
  retention_clock: oneRow,
  rounds: stays('One row per round; the scheduler deletes unknown ones at its start.'),
  audit_events: ends(
    'id::text',
    'id, at, action, actor_kind, actor_name, details',
    { 'drop old audit events': { 'its time is over': auditEvent(ago('401 days')) } },
    { 'its time is not over': auditEvent(ago('399 days')) },
  ),
  audit_chain: oneRow,
  audit_exports: stays('One row per target.'),
  evidence_keys: stays('Users make and retire them; retired ones verify old packs.'),
  fleet_days: days('day, noted_at, totals', (day) => `${day}, ${day}, '{}'`),
  fleet_tag_days: days('day, combinations, numbers, is_complete', (day) => `${day}, '[]', '', true`),

  // Reports
  uploads: ends(
    'id::text',
    'id, host_id, door, sequence, payload_kind, content_hash, state, received_at',
    {
      'drop old uploads': {
        'it was matched': upload(host, 'matched', ago('31 days'), 1),
        'it was rejected': upload(host, 'rejected', ago('31 days'), 2),
        'it was superseded': upload(host, 'superseded', ago('31 days'), 3),
      },
    },
    {
      'its time is not over': upload(host, 'matched', ago('29 days'), 4),
      'it was not parsed yet': upload(other, 'received', ago('31 days'), 5),
      'it was not matched yet': upload(other, 'parsed', ago('31 days'), 6),
    },
  ),
  upload_allowances: endsWith('hosts'),
  shared_allowances: stays('One row per registration token.'),
  snapshots: ends(
    'sequence::text',
    `id, host_id, sequence, source, received_at, schema_version, collector_version, payload, payload_sha256,
     payload_size, set_id, release_id, facts, upgrade_ids`,
    {
      'drop old history': { 'a newer one counted when the history began': snapshot(ago('802 days'), 10) },
      'fold snapshots': {
        'a later one of its day says the same': snapshot(dayAgo, 20),
        'a later one of its month says the same': snapshot(monthAgo, 15),
      },
    },
    {
      'it counted when the history began': snapshot(ago('801 days'), 11, `'raw'`),
      'it is the last one of its month': snapshot(`${monthAgo} + interval '9 days'`, 16),
      'it is the last one of its day': snapshot(`${dayAgo} + interval '9 hours'`, 21),
      'its day is not folded yet': snapshot(ago('80 days'), 30),
      'the day of the one before is not folded either': snapshot(
        `${ago('80 days')} + interval '1 second'`,
        31,
      ),
    },
  ),
  folded_snapshots: endsWith('snapshots'),
  package_changes: endsWith('hosts'),
  patch_rhythms: endsWith('hosts'),
  host_changes: ends(
    'sequence::text',
    'host_id, sequence, at, is_first, opened, closed',
    {
      'drop old history': { 'a newer one counted when the history began': change(ago('802 days'), 10) },
      'fold snapshots': { 'it begins no kernel': change(ago('100 days'), 20) },
    },
    {
      'it counted when the history began': change(ago('801 days'), 11),
      'its day is not folded yet': change(ago('80 days'), 30),
    },
  ),
  exposure_counts: ends(
    'cause',
    'host_id, severity, has_fix, since, until, timed_since, cause, count',
    {
      'drop ended exposures': { 'it ended before the history': exposureEnd(silent, ago('801 days'), 'over') },
      'exposure-walk': { 'its host is counted anew': exposureEnd(other, ago('799 days'), 'counted') },
    },
    { 'it ended in the history': exposureEnd(silent, ago('799 days'), 'kept') },
  ),
  exposure_walks: endsWith('hosts'),
  exposure_walk_state: oneRow,

  // What reports have in common
  releases: unused('name', `'unused:1'`),
  release_coverage: ends(
    `covered::text || lists_unfixed`,
    'release_id, at, covered, lists_unfixed',
    {
      'drop old history': {
        'a newer one counted when the history began': `${release}, ${ago('803 days')}, false, true`,
      },
    },
    { 'it counted when the history began': `${release}, ${ago('801 days')}, false, false` },
  ),
  package_versions: unused(
    'digest, release_id, name, architecture, version, source_name, source_version, vendor, suite, module, verdict',
    `'unused', ${release}, 'unused', '', '1', 'unused', '1', '', '', '', '{"kind":"unknown","reason":"no_feed"}'`,
  ),
  version_arrivals: ends(
    'n::text',
    'ids, matched_at',
    { 'collect unused rows': { 'its versions are deleted': `'{2000000000}', now()` } },
    {
      'one of its versions is there': `array_agg(id), now() FROM package_versions WHERE name <> 'unused'`,
    },
  ),
  version_changes: stays('The newest 256; the next change deletes the others.'),
  judgements_due: ends('n::text', 'host_id, release_id', {
    'judge hosts': {
      'its host is judged': `${host}, NULL`,
      'its host was deleted': `${id}, NULL`,
      'the hosts of its release are judged': `NULL, ${release}`,
    },
  }),
  recount_pieces: ends('n::text', 'hosts', { 'host-recount': { 'its hosts are counted': `ARRAY[${host}]` } }),
  package_sets: unused('digest, n, ids', `'unused', 0, ''`),
  finding_lists: unused('digest, n, entries', `'unused', 0, ''`),
  set_postings: stays('At most one row per package version and block of sets.'),
  posted_blocks: stays('One row per block of package sets.'),
  upgrades: unused(
    `digest, release_id, name, architecture, installed_version, candidate_version, repository, is_security, held, phased,
     source_name, source_version, suite, origin`,
    `'unused', ${release}, 'unused', '', '1', '2', '', false, false, false, '', '', '', ''`,
  ),
  interning_epoch: oneRow,

  // Advisories
  feeds: stays('One row per feed of the registry.'),
  feed_releases: endsWith('feeds'),
  feed_syncs: endsWith('feeds'),
  feed_files: endsWith('feeds'),
  feed_imports: ends(
    'origin',
    'id, format, origin, complete, state, created_at',
    {
      'drop abandoned imports': {
        'its file never arrived whole': `${id}, 'osv', 'abandoned', false, 'receiving', ${ago('7 hours')}`,
      },
    },
    {
      'its file arrives': `${id}, 'osv', 'arriving', false, 'receiving', ${ago('5 hours')}`,
      'it ended': `${id}, 'osv', 'ended', false, 'done', ${ago('7 hours')}`,
    },
  ),
  feed_import_chunks: endsWith('feed_imports'),
  advisories: ofFeeds,
  advisory_packages: endsWith('advisories'),
  feed_overrides: stays('One row per known error of feeds.'),
  cves: ofFeeds,
  repository_products: ofFeeds,
  release_lifecycles: ofFeeds,
  package_version_advisories: endsWith('advisory_packages'),
  knowledge_changes: ends(
    'kind',
    'at, kind, counted',
    { 'drop old history': { 'it is from before the history': `${ago('801 days')}, 'over', true` } },
    { 'it is of the history': `${ago('799 days')}, 'kept', true` },
  ),
  knowledge_change_entries: endsWith('knowledge_changes'),
  history_bounds: oneRow,
  past_advisories: pastEnds(
    'id, feed_id, external_id, kind, title, url',
    `1, 'debian-osv', 'x', 'erratum', '', ''`,
  ),
  past_statements: pastEnds(
    `id, advisory_id, release_id, name, severity, severity_source, stated_severity, stated_source, unfixed_detail, builds,
     first_seen_at`,
    `1, 1, ${release}, 'x', 'low', '', 'low', '', '', '', now()`,
  ),
  past_matches: pastEnds(
    'package_version_id, advisory_package_id, since_cause, until_cause, known_at',
    `(SELECT min(id) FROM package_versions), 1, 'package', 'feed', now()`,
  ),
  past_cve_facts: pastEnds('cve, kind, fact', `'CVE-2020-0001', 'kev', '{}'`),

  // Notifications
  notification_keys: stays('One row per key of the notify-worker.'),
  notification_channels: ofUsers,
  notification_routes: endsWith('notification_channels'),
  notification_bulletins: endsWith('notification_channels'),
  notification_conditions: ends('event || subject', 'event, subject', {
    'compare conditions': { 'it does not hold any more': `'waiver.expiring', ${id}::text` },
  }),
  notification_hosts: endsWith('hosts'),
  notification_events: ends(
    'id::text',
    'event, at, taken_at, failed_at',
    {
      'drop ended deliveries': {
        'its deliveries are written': `'feed.failed', ${ago('91 days')}, ${ago('91 days')}, NULL`,
        'it was given up': `'feed.failed', ${ago('91 days')}, NULL, ${ago('91 days')}`,
      },
    },
    { 'its time is not over': `'feed.failed', ${ago('89 days')}, ${ago('89 days')}, NULL` },
  ),
  notification_deliveries: ends(
    'id::text',
    'id, channel_name, channel_kind, route_name, is_limited, event, state, items, due_at, next_attempt_at, ended_at',
    {
      'drop ended deliveries': {
        'it was accepted': delivery('accepted', ago('91 days')),
        'it was given up': delivery('given_up', ago('91 days')),
        'it was cancelled': delivery('cancelled', ago('91 days')),
      },
    },
    {
      'its time is not over': delivery('accepted', ago('89 days')),
      'it waits': delivery('waiting', 'NULL'),
    },
  ),
  notification_attempts: endsWith('notification_deliveries'),

  // The schema
  schema_state: oneRow,
  _prisma_migrations: stays('One row per migration.'),
};
