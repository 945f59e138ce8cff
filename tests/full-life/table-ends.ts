import type { RoundName } from '@plimsoll/model';
import type { Jobs } from '@plimsoll/queue';

/** SQL of rows of one table, all but the key: VALUES or SELECT, after the named columns. */
export interface RowsToMake {
  readonly columns: string;
  readonly rows: string;
}

/** How rows of a table end by themselves: the rounds that delete them, each with a row for each cause, and rows that stay. */
export interface Ending {
  /** SQL: the text by which a row is known. */
  readonly key: string;
  /** By round or job: rows that it deletes, by cause. */
  readonly over: Readonly<Partial<Record<RoundName | keyof Jobs, Readonly<Record<string, RowsToMake>>>>>;
  /** Rows that are not over, by reason. */
  readonly stays: Readonly<Record<string, RowsToMake>>;
}

/** How the rows of a table end. */
export type TableEnd =
  | ({ readonly kind: 'ends' } & Ending)
  /** With the row of another table, by a foreign key that cascades. */
  | { readonly kind: 'with'; readonly table: string }
  /** Not by time. Why the table stays bounded. */
  | { readonly kind: 'stays'; readonly reason: string };

const ends = (ending: Ending): TableEnd => ({ kind: 'ends', ...ending });
const endsWith = (table: string): TableEnd => ({ kind: 'with', table });
const stays = (reason: string): TableEnd => ({ kind: 'stays', reason });
const rows = (columns: string, text: string): RowsToMake => ({ columns, rows: text });

const user = `(SELECT id FROM users WHERE email = 'ended@example.org')`;
const host = `(SELECT id FROM hosts WHERE hostname = 'alpha')`;
const other = `(SELECT id FROM hosts WHERE hostname = 'bravo')`;
const silent = `(SELECT id FROM hosts WHERE hostname = 'silent')`;
const release = `(SELECT min(release_id) FROM host_state)`;
const ago = (span: string) => `(now() - interval '${span}')`;
const soon = `(now() + interval '1 hour')`;

const oneRow = stays('One row.');
const ofUsers = stays('Users make and delete them.');
const ofFeeds = stays('What feeds list now; an import deletes what they list no longer.');

const session = (generation: number, endsAt: string, idleEndsAt = 'NULL') =>
  rows(
    'id, user_id, generation, method, kind, user_agent, ends_at, idle_ends_at',
    `SELECT gen_random_uuid(), ${user}, ${generation}, 'password', 'token', '', ${endsAt}, ${idleEndsAt}::timestamptz`,
  );
const upload = (hostId: string, state: string, receivedAt: string, sequence: number) =>
  rows(
    'id, host_id, door, sequence, payload_kind, content_hash, state, received_at',
    `SELECT gen_random_uuid(), ${hostId}, 'agent', ${sequence}, 'protobuf', '', '${state}', ${receivedAt}`,
  );
const snapshot = (receivedAt: string, sequence: number, payload = 'NULL') =>
  rows(
    `id, host_id, sequence, source, received_at, schema_version, collector_version, payload, payload_sha256, payload_size,
     set_id, release_id, facts, upgrade_ids`,
    `SELECT gen_random_uuid(), host_id, ${sequence}, source, ${receivedAt}, schema_version, collector_version, ${payload},
       payload_sha256, payload_size, set_id, release_id, facts, '{}' FROM snapshots WHERE host_id = ${host} AND sequence >= 1000`,
  );
const change = (at: string, sequence: number, kernel = 'NULL') =>
  rows(
    'host_id, sequence, at, is_first, booted_kernel_id, opened, closed',
    `SELECT ${host}, ${sequence}, ${at}, false, ${kernel}::int, '', ''`,
  );
const exposureEnd = (hostId: string, at: string, cause: string) =>
  rows(
    'host_id, severity, has_fix, since, until, timed_since, cause, count',
    `SELECT ${hostId}, 'low', true, ${at}, ${at}, ${at}, '${cause}', 1`,
  );
const delivery = (state: string, endedAt: string) =>
  rows(
    'id, channel_name, channel_kind, route_name, is_limited, event, state, items, due_at, next_attempt_at, ended_at',
    `SELECT gen_random_uuid(), '', 'webhook', '', false, 'feed.failed', '${state}', '{}', ${soon}, ${soon}, ${endedAt}::timestamptz`,
  );
const event = (at: string, takenAt: string, failedAt: string) =>
  rows(
    'event, at, taken_at, failed_at',
    `SELECT 'feed.failed', ${at}, ${takenAt}::timestamptz, ${failedAt}::timestamptz`,
  );
const auditEvent = (at: string) =>
  rows(
    'id, at, action, actor_kind, actor_name, details',
    `SELECT gen_random_uuid(), ${at}, 'user.login', 'system', 'test', '{}'`,
  );
const past = (columns: string, values: string, until: string) =>
  rows(`${columns}, since, until`, `SELECT ${values}, ${ago('900 days')}, ${until}`);
/** Rows that ended before the history, and within it. */
const pastEnds = (key: string, make: (until: string) => RowsToMake): TableEnd =>
  ends({
    key,
    over: { 'drop old history': { 'it ended before the history': make(ago('801 days')) } },
    stays: { 'it ended in the history': make(ago('799 days')) },
  });
/** Interned rows are condemned by the first look and deleted by the second. */
const unused = (columns: string, values: string): TableEnd =>
  ends({
    key: 'id::text',
    over: { 'collect unused rows': { 'nothing refers to it': rows(columns, `SELECT ${values}`) } },
    stays: {},
  });

/** Of every table, how its rows end. A new table needs a line: rows that are over for each cause, or why none is. */
export const tableEnds: Readonly<Record<string, TableEnd>> = {
  // People
  users: ofUsers,
  sessions: ends({
    key: 'id::text',
    over: {
      'drop ended sessions': {
        'its time is over': session(1, ago('1 minute')),
        'it was idle too long': session(1, soon, ago('1 minute')),
        'the password or the role changed': session(0, soon),
      },
    },
    stays: { 'it goes on': session(1, soon, soon) },
  }),
  api_keys: stays('Their users see and delete them, also those whose time is over.'),
  user_identities: endsWith('users'),
  spent_sign_ins: ends({
    key: 'id::text',
    over: {
      'drop expired sign-ins': {
        'its time is over': rows('id, expires_at', `SELECT gen_random_uuid(), ${ago('1 minute')}`),
      },
    },
    stays: {
      'its sign-in can still be repeated': rows('id, expires_at', `SELECT gen_random_uuid(), ${soon}`),
    },
  }),
  downloads: ends({
    key: 'id::text',
    over: {
      'drop expired downloads': {
        'its time is over': rows(
          'id, user_id, expires_at',
          `SELECT gen_random_uuid(), ${user}, ${ago('1 minute')}`,
        ),
      },
    },
    stays: { 'it may begin': rows('id, user_id, expires_at', `SELECT gen_random_uuid(), ${user}, ${soon}`) },
  }),
  totp_secrets: endsWith('users'),
  recovery_codes: endsWith('users'),
  passkeys: endsWith('users'),
  sign_in_challenges: ends({
    key: `encode(digest, 'escape')`,
    over: {
      'drop expired sign-ins': {
        'its time is over': rows('digest, purpose, expires_at', `SELECT 'over', 'totp', ${ago('1 minute')}`),
      },
    },
    stays: { 'it can be answered': rows('digest, purpose, expires_at', `SELECT 'open', 'totp', ${soon}`) },
  }),
  invitations: ends({
    key: 'id::text',
    over: {
      'drop expired invitations': {
        'its time is over': rows(
          'id, email, name, role, is_limited, token_hash, invited_by, expires_at',
          `SELECT gen_random_uuid(), 'over@example.org', '', 'viewer', false, 'over', '', ${ago('1 minute')}`,
        ),
      },
    },
    stays: {
      'it is open': rows(
        'id, email, name, role, is_limited, token_hash, invited_by, expires_at',
        `SELECT gen_random_uuid(), 'open@example.org', '', 'viewer', false, 'open', '', ${soon}`,
      ),
    },
  }),
  mail_confirmations: ends({
    key: `encode(token_hash, 'escape')`,
    over: {
      'drop expired invitations': {
        'its time is over': rows(
          'token_hash, channel_id, address, expires_at',
          `SELECT 'over', id, 'over@example.org', ${ago('1 minute')} FROM notification_channels LIMIT 1`,
        ),
      },
    },
    stays: {
      'its link works': rows(
        'token_hash, channel_id, address, expires_at',
        `SELECT 'open', id, 'open@example.org', ${soon} FROM notification_channels LIMIT 1`,
      ),
    },
  }),
  rate_limits: ends({
    key: 'key',
    over: {
      'drop expired rate limits': {
        'its time is over': rows(
          'key, expire',
          `SELECT 'over', extract(epoch FROM ${ago('1 minute')}) * 1000`,
        ),
        'the wait of an account is over': rows(
          'key, expire',
          `SELECT 'login-wait:x', extract(epoch FROM ${ago('1 minute')}) * 1000`,
        ),
      },
    },
    stays: {
      'it counts': rows('key, expire', `SELECT 'counts', extract(epoch FROM ${soon}) * 1000`),
      'it has no end': rows('key', `SELECT 'endless'`),
    },
  }),
  policies: stays('One row per kind of policy.'),

  // Hosts
  hosts: stays('Users delete them; silent ones are retired.'),
  host_groups: ofUsers,
  host_access_tokens: endsWith('hosts'),
  registration_tokens: stays('Users make them, and see those that ended.'),
  enrolments: endsWith('registration_tokens'),
  host_contacts: endsWith('hosts'),
  host_refreshes: endsWith('hosts'),
  repositories: ends({
    key: 'name',
    over: {
      'drop unused repositories': {
        'no host has it': rows(
          'key, name, origin, suite, component, architecture, base',
          `SELECT 'unused', 'unused', '', '', '', '', ''`,
        ),
      },
    },
    stays: {
      'its publisher states a date': rows(
        'key, name, origin, suite, component, architecture, base, publisher_at',
        `SELECT 'published', 'published', '', '', '', '', '', now()`,
      ),
    },
  }),
  host_repositories: endsWith('hosts'),
  host_state: endsWith('hosts'),
  plans: stays('At most 1,000; users delete them.'),
  plan_hosts: endsWith('plans'),
  waivers: stays('Decisions are evidence: ended ones stay.'),
  ssh_key_pairs: stays('One of the installation, and those of hosts, which end with them.'),
  ssh_targets: endsWith('hosts'),
  pull_jobs: ends({
    key: 'error_message',
    over: {
      'pull due hosts': {
        'ten newer ones are kept': rows(
          'id, host_id, trigger, status, error_message',
          `SELECT '00000000-0000-7000-8000-000000000000', ${other}, 'schedule', 'failed', 'oldest'`,
        ),
      },
    },
    stays: {
      'nine newer ones, and the new one': rows(
        'id, host_id, trigger, status, error_message',
        `SELECT ('00000000-0000-7000-8000-00000000010' || n)::uuid, ${other}, 'schedule', 'failed', 'newer ' || n
         FROM generate_series(1, 9) n`,
      ),
    },
  }),
  collectors: stays('One row per version of the collector; hosts may ask for old ones for years.'),

  // The service
  instances: ends({
    key: 'id::text',
    over: {
      'drop silent processes': {
        'it sent no sign of life for a day': rows(
          'id, app, hostname, pid, version, last_seen_at',
          `SELECT gen_random_uuid(), 'api', '', 1, '', ${ago('25 hours')}`,
        ),
      },
    },
    stays: {
      'it sent one': rows(
        'id, app, hostname, pid, version, last_seen_at',
        `SELECT gen_random_uuid(), 'api', '', 1, '', ${ago('23 hours')}`,
      ),
    },
  }),
  retention_clock: oneRow,
  rounds: stays('One row per round; the scheduler deletes unknown ones at its start.'),
  audit_events: ends({
    key: 'id::text',
    over: { 'drop old audit events': { 'its time is over': auditEvent(ago('401 days')) } },
    stays: { 'its time is not over': auditEvent(ago('399 days')) },
  }),
  audit_chain: oneRow,
  audit_exports: stays('One row per target.'),
  evidence_keys: stays('Users make and retire them; retired ones verify old packs.'),
  fleet_days: ends({
    key: 'day::text',
    over: {
      'drop old days of the trend': {
        'its time is over': rows(
          'day, noted_at, totals',
          `SELECT ${ago('402 days')}, ${ago('402 days')}, '{}'`,
        ),
      },
    },
    stays: {
      'its time is not over': rows(
        'day, noted_at, totals',
        `SELECT ${ago('399 days')}, ${ago('399 days')}, '{}'`,
      ),
    },
  }),
  fleet_tag_days: ends({
    key: 'day::text',
    over: {
      'drop old days of the trend': {
        'its time is over': rows(
          'day, combinations, numbers, is_complete',
          `SELECT ${ago('402 days')}, '[]', '', true`,
        ),
      },
    },
    stays: {
      'its time is not over': rows(
        'day, combinations, numbers, is_complete',
        `SELECT ${ago('399 days')}, '[]', '', true`,
      ),
    },
  }),

  // Reports
  uploads: ends({
    key: 'id::text',
    over: {
      'drop old uploads': {
        'it was matched': upload(host, 'matched', ago('31 days'), 1),
        'it was rejected': upload(host, 'rejected', ago('31 days'), 2),
        'it was superseded': upload(host, 'superseded', ago('31 days'), 3),
      },
    },
    stays: {
      'its time is not over': upload(host, 'matched', ago('29 days'), 4),
      'it was not parsed yet': upload(other, 'received', ago('31 days'), 5),
      'it was not matched yet': upload(other, 'parsed', ago('31 days'), 6),
    },
  }),
  upload_allowances: endsWith('hosts'),
  shared_allowances: stays('One row per registration token.'),
  snapshots: ends({
    key: 'sequence::text',
    over: {
      'drop old history': { 'a newer one counted when the history began': snapshot(ago('802 days'), 10) },
      'fold snapshots': {
        'a later one of its day says the same': snapshot(`date_trunc('day', ${ago('100 days')}, 'UTC')`, 20),
        'a later one of its month says the same': snapshot(
          `date_trunc('month', ${ago('500 days')}, 'UTC')`,
          15,
        ),
      },
    },
    stays: {
      'it counted when the history began': snapshot(ago('801 days'), 11),
      'it is the last one of its month': snapshot(
        `date_trunc('month', ${ago('500 days')}, 'UTC') + interval '9 days'`,
        16,
      ),
      'it is the last one of its day': snapshot(
        `date_trunc('day', ${ago('100 days')}, 'UTC') + interval '9 hours'`,
        21,
      ),
      'its day is not folded yet': snapshot(ago('80 days'), 30),
      'the day of the one before is not folded either': snapshot(
        `${ago('80 days')} + interval '1 second'`,
        31,
      ),
    },
  }),
  folded_snapshots: endsWith('snapshots'),
  package_changes: endsWith('hosts'),
  patch_rhythms: endsWith('hosts'),
  host_changes: ends({
    key: 'sequence::text',
    over: {
      'drop old history': { 'a newer one counted when the history began': change(ago('802 days'), 10) },
      'fold snapshots': { 'it begins no kernel': change(ago('100 days'), 20) },
    },
    stays: {
      'it counted when the history began': change(ago('801 days'), 11),
      'its day is not folded yet': change(ago('80 days'), 30),
    },
  }),
  exposure_counts: ends({
    key: 'cause',
    over: {
      'drop ended exposures': { 'it ended before the history': exposureEnd(silent, ago('801 days'), 'over') },
      'exposure-walk': { 'its host is counted anew': exposureEnd(other, ago('799 days'), 'counted') },
    },
    stays: { 'it ended in the history': exposureEnd(silent, ago('799 days'), 'kept') },
  }),
  exposure_walks: endsWith('hosts'),
  exposure_walk_state: oneRow,

  // What reports have in common
  releases: unused('name', `'unused:1'`),
  release_coverage: ends({
    key: `covered::text || lists_unfixed`,
    over: {
      'drop old history': {
        'a newer one counted when the history began': rows(
          'release_id, at, covered, lists_unfixed',
          `SELECT ${release}, ${ago('803 days')}, false, true`,
        ),
      },
    },
    stays: {
      'it counted when the history began': rows(
        'release_id, at, covered, lists_unfixed',
        `SELECT ${release}, ${ago('801 days')}, false, false`,
      ),
    },
  }),
  package_versions: unused(
    'digest, release_id, name, architecture, version, source_name, source_version, vendor, suite, module, verdict',
    `'unused', ${release}, 'unused', '', '1', 'unused', '1', '', '', '', '{"kind":"unknown","reason":"no_feed"}'`,
  ),
  version_arrivals: ends({
    key: 'n::text',
    over: {
      'collect unused rows': {
        'its versions are deleted': rows('ids, matched_at', `SELECT '{2000000000}'::int[], now()`),
      },
    },
    stays: {
      'one of its versions is there': rows(
        'ids, matched_at',
        `SELECT array_agg(id), now() FROM package_versions WHERE name <> 'unused'`,
      ),
    },
  }),
  version_changes: stays('The newest 256; the next change deletes the others.'),
  judgements_due: ends({
    key: 'n::text',
    over: {
      'judge hosts': {
        'its host is judged': rows('host_id', `SELECT ${host}`),
        'its host was deleted': rows('host_id', 'SELECT gen_random_uuid()'),
        'the hosts of its release are judged': rows('release_id', `SELECT ${release}`),
      },
    },
    stays: {},
  }),
  recount_pieces: ends({
    key: 'n::text',
    over: { 'host-recount': { 'its hosts are counted': rows('hosts', `SELECT ARRAY[${host}]`) } },
    stays: {},
  }),
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
  feed_imports: ends({
    key: 'origin',
    over: {
      'drop abandoned imports': {
        'its file never arrived whole': rows(
          'id, format, origin, complete, state, created_at',
          `SELECT '00000000-0000-7000-8000-000000000002', 'osv', 'abandoned', false, 'receiving', ${ago('7 hours')}`,
        ),
      },
    },
    stays: {
      'its file arrives': rows(
        'id, format, origin, complete, state, created_at',
        `SELECT gen_random_uuid(), 'osv', 'arriving', false, 'receiving', ${ago('5 hours')}`,
      ),
      'it ended': rows(
        'id, format, origin, complete, state, created_at',
        `SELECT gen_random_uuid(), 'osv', 'ended', false, 'done', ${ago('7 hours')}`,
      ),
    },
  }),
  feed_import_chunks: endsWith('feed_imports'),
  advisories: ofFeeds,
  advisory_packages: endsWith('advisories'),
  feed_overrides: stays('One row per known error of feeds.'),
  cves: ofFeeds,
  repository_products: ofFeeds,
  release_lifecycles: ofFeeds,
  package_version_advisories: endsWith('advisory_packages'),
  knowledge_changes: ends({
    key: 'kind',
    over: {
      'drop old history': {
        'it is from before the history': rows('at, kind, counted', `SELECT ${ago('801 days')}, 'over', true`),
      },
    },
    stays: {
      'it is of the history': rows('at, kind, counted', `SELECT ${ago('799 days')}, 'kept', true`),
    },
  }),
  knowledge_change_entries: endsWith('knowledge_changes'),
  history_bounds: oneRow,
  past_advisories: pastEnds('until::text', (until) =>
    past('id, feed_id, external_id, kind, title, url', `1, 'debian-osv', 'x', 'erratum', '', ''`, until),
  ),
  past_statements: pastEnds('until::text', (until) =>
    past(
      `id, advisory_id, release_id, name, severity, severity_source, stated_severity, stated_source, unfixed_detail, builds,
       first_seen_at`,
      `1, 1, ${release}, 'x', 'low', '', 'low', '', '', '', now()`,
      until,
    ),
  ),
  past_matches: pastEnds('until::text', (until) =>
    past(
      'package_version_id, advisory_package_id, since_cause, until_cause, known_at',
      `(SELECT min(id) FROM package_versions), 1, 'package', 'feed', now()`,
      until,
    ),
  ),
  past_cve_facts: pastEnds('until::text', (until) =>
    past('cve, kind, fact', `'CVE-2020-0001', 'kev', '{}'`, until),
  ),

  // Notifications
  notification_keys: stays('One row per key of the notify-worker.'),
  notification_channels: ofUsers,
  notification_routes: endsWith('notification_channels'),
  notification_bulletins: endsWith('notification_channels'),
  notification_conditions: ends({
    key: 'event || subject',
    over: {
      'compare conditions': {
        'it does not hold any more': rows(
          'event, subject',
          `SELECT 'waiver.expiring', gen_random_uuid()::text`,
        ),
      },
    },
    stays: {},
  }),
  notification_hosts: endsWith('hosts'),
  notification_events: ends({
    key: 'id::text',
    over: {
      'drop ended deliveries': {
        'its deliveries are written': event(ago('91 days'), ago('91 days'), 'NULL'),
        'it was given up': event(ago('91 days'), 'NULL', ago('91 days')),
      },
    },
    stays: { 'its time is not over': event(ago('89 days'), ago('89 days'), 'NULL') },
  }),
  notification_deliveries: ends({
    key: 'id::text',
    over: {
      'drop ended deliveries': {
        'it was accepted': delivery('accepted', ago('91 days')),
        'it was given up': delivery('given_up', ago('91 days')),
        'it was cancelled': delivery('cancelled', ago('91 days')),
      },
    },
    stays: {
      'its time is not over': delivery('accepted', ago('89 days')),
      'it waits': delivery('waiting', 'NULL'),
    },
  }),
  notification_attempts: endsWith('notification_deliveries'),

  // The schema
  schema_state: oneRow,
  _prisma_migrations: stays('One row per migration.'),
};
