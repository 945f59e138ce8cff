import {
  bracedName,
  choice,
  feedDays,
  feedUrls,
  filePath,
  flag,
  folder,
  guardedUrl,
  integer,
  lagExceptions,
  listenHost,
  networks,
  proxies,
  publicUrl,
  rolePrefix,
  type SettingType,
  secretText,
  url,
  words,
} from './setting-type.ts';

/** One setting: what it accepts, its default and its purpose. */
export interface Setting<T> {
  readonly type: SettingType<NonNullable<T>>;
  /** `null` if the setting may be unset. */
  readonly fallback: T;
  /** Sentences for the reference page. */
  readonly about: string;
  /** Accepted environment names besides the PLIMSOLL_ one, which takes precedence. */
  readonly aliases: readonly string[];
  /** A secret's value is never shown, neither in mistakes nor by `plimsoll config check`. */
  readonly secret: boolean;
}

interface Options {
  readonly aliases?: readonly string[];
  readonly secret?: boolean;
}

function preset<T extends {}>(
  type: SettingType<T>,
  fallback: T,
  about: string,
  options: Options = {},
): Setting<T> {
  return { type, fallback, about, aliases: options.aliases ?? [], secret: options.secret ?? false };
}

function optional<T extends {}>(
  type: SettingType<T>,
  about: string,
  options: Options = {},
): Setting<T | null> {
  return { type, fallback: null, about, aliases: options.aliases ?? [], secret: options.secret ?? false };
}

/** Every setting by its dotted key, in the order of the reference page. */
export const settings = {
  data_dir: preset(
    folder(),
    'data',
    'Where the embedded database, generated secrets and logs live. Only `plimsoll` commands use it.',
  ),
  'log.level': preset(
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'The least urgent log lines that are written.',
  ),
  'api.host': preset(
    listenHost(),
    '0.0.0.0',
    'The address the API listens on. The default takes connections from other machines, because agents report ' +
      'from them; set `127.0.0.1` where a reverse proxy on the same machine stands in front.',
  ),
  'api.port': preset(integer(1, 65_535), 8080, 'The TCP port the API listens on.', { aliases: ['PORT'] }),
  'api.public_url': optional(
    publicUrl(),
    'The URL under which users and agents reach the API; it is written into install commands. Unset: taken from ' +
      'the request.',
  ),
  'api.tls_cert_file': optional(
    filePath(),
    'The certificate of the API in PEM form, its own first, then those that lead to its authority. With it the API ' +
      'speaks https, and nothing else, on `api.port`. The file is read again when it changes, without a restart.',
  ),
  'api.tls_key_file': optional(
    filePath(),
    'The private key of `api.tls_cert_file` in PEM form, without a passphrase. Both are set, or neither.',
  ),
  'api.trusted_proxies': preset(
    proxies(),
    [],
    'Reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. From any other address these ' +
      'headers are ignored.',
  ),
  'api.max_connections': optional(
    integer(16, 1_000_000),
    'The most connections the API keeps open. When there are more, those go first that have no complete request, the ' +
      'oldest of the address that has the most of them. Unset: 10000. Fewer in any case where the process may not open ' +
      'so many files.',
  ),
  'api.incomplete_connections_per_address': preset(
    integer(1, 1_000_000),
    500,
    'The most connections of one address (IPv6: of one /64 network) that wait for longer than five seconds without a ' +
      'complete request and without a valid credential. Connections of trusted proxies are counted by the address that ' +
      'the proxy tells. A fleet behind one address is not limited: its agents bring complete requests.',
  ),
  'api.request_timeout_seconds': preset(
    integer(5, 600),
    30,
    'How long a client may take for the head of a request, then for its body, in seconds. Uploads and imports have ' +
      'more time for their bodies. A TLS handshake has 10 seconds, or this time if it is shorter.',
  ),
  'api.answer_timeout_seconds': preset(
    integer(5, 600),
    15,
    'Within how many seconds a client takes 64 KiB of an answer that waits for it, or the rest of it. For so long in all ' +
      'an answer may wait for its client, and a second more for each 64 KiB that the client takes. The connection of a ' +
      'client that is slower is closed. Event streams have a limit of their own.',
  ),
  'api.large_reads': preset(
    integer(1, 10_000),
    8,
    'How many large reads the API answers at a time: lists of hosts, packages and advisories, exports, CVEs and ' +
      'searches. Others wait for 15 seconds at most; the answer is 503 then, or 429 for a user with too many of them. ' +
      'Keep it below `database.pool_size`, so that each finds a connection.',
  ),
  'api.large_reads_per_user': preset(integer(1, 10_000), 3, 'How many of them may be of one user.'),
  'api.jwt_secret_key': optional(
    secretText(32),
    'Signs the tokens of users. `plimsoll start` generates one into the data folder when it is unset. Changing it ' +
      'ends every session.',
    { aliases: ['API_JWT_SECRET_KEY'], secret: true },
  ),
  'api.setup_code': optional(
    secretText(12),
    'A code that setup requires besides e-mail address and password. Unset: the first person who reaches the API can become ' +
      'its admin. Worth nothing once there is a user.',
    { secret: true },
  ),
  'api.token_lifetime_minutes': preset(
    integer(1, 43_200),
    480,
    "How long a user's token is valid after signing in, in minutes.",
  ),
  'database.url': optional(
    url(['postgresql', 'postgres']),
    'The PostgreSQL database: for an app, with the user and password of its own role; for `plimsoll migrate` and ' +
      '`plimsoll start`, those of a user who may make roles. Unset: `plimsoll start` runs a private one in the data folder.',
    { aliases: ['DATABASE_URL'], secret: true },
  ),
  'database.password_file': optional(
    filePath(),
    'A file whose first line is the password of the user in `database.url`, in place of one in the URL. Keep ' +
      'others on the machine from reading it.',
  ),
  'database.role_prefix': preset(
    rolePrefix(),
    'plimsoll',
    'What the names of the database roles begin with: `plimsoll_owner` owns the tables, `plimsoll_api` and its like are ' +
      'for one app each. Roles belong to the whole server: two installations on one server need two prefixes.',
  ),
  'database.role_passwords_dir': optional(
    folder(),
    'A folder with the passwords of these roles, each in `<app>/password`. `plimsoll migrate` sets them, and makes those ' +
      'that are missing. Unset: `plimsoll start` keeps them in the data folder, `plimsoll migrate` sets none. For these ' +
      'two commands; no app gets it.',
  ),
  'database.pool_size': preset(
    integer(1, 500),
    10,
    'The most database connections one process holds. Every app is a process of its own; the API holds as many again ' +
      'for large reads.',
  ),
  'redis.url': optional(
    url(['redis', 'rediss']),
    'The Redis or Valkey server for the queues. Unset: `plimsoll start` runs a private redis-server or ' +
      'valkey-server if one is on the PATH.',
    { aliases: ['REDIS_URL'], secret: true },
  ),
  'queue.backend': preset(
    choice(['auto', 'redis', 'postgres']),
    'auto',
    'Where the queues live. `auto` is Redis where there is one, else the PostgreSQL database.',
  ),
  'queue.prefix': preset(
    bracedName(),
    '{plimsoll}',
    'What the names of the queues start with; the braces keep them on one node of a Redis Cluster.',
  ),
  'feeds.base_url': optional(
    guardedUrl(['https', 'http', 'file']),
    'A mirror that advisory feeds are fetched from: an HTTP server or a `file:///` folder with `<Ecosystem>/all.zip`, as ' +
      'the public OSV export has them, and beside them the other files that docs/operations.md names. Unset: each feed ' +
      'is fetched from its publisher.',
  ),
  'feeds.urls': preset(
    feedUrls(),
    [],
    'Other places for single feeds, before `feeds.base_url`. A URL that ends in `/` is a mirror of the feed, with its ' +
      'files where they would be below `feeds.base_url`; any other is the one file of the feed.',
  ),
  'feeds.proxy': optional(
    url(['http', 'https']),
    'The proxy through which feeds are fetched, with user name and password where it wants them. Unset: the one in the ' +
      'usual variables `HTTPS_PROXY` and `HTTP_PROXY`. Servers in `NO_PROXY` and this machine itself are connected to ' +
      'directly. Through a proxy the proxy resolves names, so `feeds.allowed_private_networks` holds for addresses alone.',
    { secret: true },
  ),
  'feeds.enabled': preset(
    words(),
    ['auto'],
    'The feeds that are fetched on schedule, by the ids that `GET /feeds` shows. `auto` alone: those for releases that ' +
      'hosts run, and CISA KEV and EPSS.',
  ),
  'feeds.sync_enabled': preset(
    flag(),
    true,
    'Whether feeds are fetched on schedule. Imports and syncs asked for by hand work all the same.',
  ),
  'feeds.sync_interval_minutes': preset(integer(5, 10_080), 360, 'Minutes between two fetches of a feed.'),
  'feeds.stale_after_days': preset(
    feedDays(),
    ['3', 'debian-lifecycles=30', 'ubuntu-lifecycles=30', 'redhat-repository-to-cpe=30'],
    'Days after which the data of a feed is outdated: a number for all feeds, and others for single ones. A list that is ' +
      'set takes the place of the whole default. More than the days between two syncs or imports, with some to spare: ' +
      '`8` where files are imported once a week.',
  ),
  'feeds.allowed_private_networks': preset(
    networks(),
    [],
    'Private, loopback and link-local networks that feeds may be fetched from. Without an entry only public ' +
      'addresses are connected to, whatever a name or a redirect resolves to.',
  ),
  'ssh.sealing_public_key_file': optional(
    filePath(),
    'The public key that private SSH keys are sealed to before they are stored. The API reads it for every new key, ' +
      'so that `plimsoll secrets rotate` needs no restart. `plimsoll secrets create` makes it, `plimsoll start` too ' +
      'where it is unset, in the data folder.',
  ),
  'ssh.sealing_keys_file': optional(
    filePath(),
    'The private keys that go with it, newest first: they open the stored SSH keys. For the ssh-worker and the ' +
      '`plimsoll secrets` commands; no other app gets it. Made as the public key is. Others on the machine may not ' +
      'be able to read it.',
  ),
  'ssh.allowed_networks': preset(
    networks(),
    [],
    'Loopback, link-local and metadata networks that SSH pulls may connect to all the same. Other addresses, private ' +
      'ones too, need no entry.',
  ),
  'ssh.connect_timeout_seconds': preset(
    integer(1, 120),
    10,
    'How long connecting to a host may take, in seconds: TCP, the greeting of its SSH server and the key exchange.',
  ),
  'ssh.pull_timeout_seconds': preset(
    integer(10, 3600),
    300,
    'How long a whole pull may take, in seconds, from the first connection to the end of the report.',
  ),
  'agent.report_interval_seconds': preset(
    integer(60, 604_800),
    3600,
    'How often an agent reports. Agents learn a change with their next contact.',
  ),
  'uploads.burst': preset(
    integer(1, 10_000),
    30,
    'Uploads that one host may send at once where each says something new. Uploads of agents, of people and of pulls ' +
      'over SSH are counted apart. What is above it is answered 429, and the agent sends its newest report later.',
  ),
  'uploads.every_seconds': preset(
    integer(1, 86_400),
    60,
    'Seconds after which one host may send one upload more, once `uploads.burst` is used up. An upload that says only ' +
      'what the last one said counts for a tenth.',
  ),
  'uploads.mebibytes_per_day': preset(
    integer(32, 1_048_576),
    128,
    'MiB that the uploads of one host may have in 24 hours, compressed; unchanged ones are not counted.',
  ),
  'uploads.new_packages_per_day': preset(
    integer(1_000, 10_000_000),
    30_000,
    'Versions of packages and updates that one host may bring in 24 hours and that no other host had before, with the ' +
      'packages that it changes by more than 100 at a time. ' +
      'An upgrade to a new release brings some thousands. An upload above it is rejected with `rate_limited`.',
  ),
  'uploads.pending_per_day': preset(
    integer(100, 10_000_000),
    20_000,
    'Uploads that the pending hosts of one registration token may send together in 24 hours. What is above this and the ' +
      'next number is answered 429. An approved host has no part in it.',
  ),
  'uploads.pending_mebibytes_per_day': preset(
    integer(32, 1_048_576),
    512,
    'MiB that the uploads of these hosts may have together in 24 hours, compressed; unchanged ones are not counted.',
  ),
  'uploads.pending_new_packages_per_day': preset(
    integer(1_000, 10_000_000),
    30_000,
    'Versions of packages, updates and changes, counted as for `uploads.new_packages_per_day`, that these hosts may bring ' +
      'together in 24 hours. An upload above it waits, stored, until there is enough again or its host is approved.',
  ),
  'enrolment.burst': preset(
    integer(1, 100_000),
    100,
    'Hosts that may enrol at once with one registration token. What is above it is answered 429, and the agent tries again.',
  ),
  'enrolment.per_minute': preset(
    integer(1, 100_000),
    300,
    'Hosts that may enrol in a minute with one registration token, once `enrolment.burst` is used up.',
  ),
  'hosts.manual_stale_days': preset(
    integer(1, 3650),
    30,
    'Days without a new report after which a host of the mode `manual` counts as stale.',
  ),
  'hosts.repository_max_lag_days': preset(
    integer(1, 3650),
    7,
    'Days by which a copy of a repository may be older than the newest known one before its host counts as outdated.',
  ),
  'hosts.repository_max_lag_exceptions': preset(
    lagExceptions(),
    [],
    'Other numbers of days: for a repository by its suite or id (`noble-security=3`, `Debian/bookworm=30`), for hosts ' +
      'with a tag (`@ring-2=30`), or for both together (`noble-security@ring-2=14`), which comes before a tag alone, and ' +
      'that before a repository alone.',
  ),
  'retention.uploads_days': preset(
    integer(1, 3650),
    30,
    'Days for which the raw bytes of uploads that reached an end are kept.',
  ),
  'retention.trend_days': preset(
    integer(1, 3650),
    400,
    'Days for which the numbers of the fleet are kept, one row a day: how far back `GET /fleet/trend` can look.',
  ),
  'retention.audit_days': preset(integer(1, 36_500), 400, 'Days for which the audit log is kept.'),
  'worker.health_host': preset(
    listenHost(),
    '127.0.0.1',
    'The address on which workers and the scheduler serve `/healthz` and `/metrics`.',
  ),
  'worker.health_port': optional(
    integer(1, 65_535),
    'The port for them. Unset: a worker process serves neither.',
  ),
  'report_worker.concurrency': preset(
    integer(1, 256),
    16,
    'Uploads one report-worker process has in hand at a time; they are written together.',
  ),
  'advisory_worker.concurrency': preset(
    integer(1, 256),
    16,
    'Uploads one advisory-worker process has in hand at a time; they are written together.',
  ),
  'ssh_worker.concurrency': preset(integer(1, 1000), 100, 'Hosts one ssh-worker process pulls at a time.'),
} as const;

/** The dotted key of a setting, as in `plimsoll.yaml`. */
export type SettingKey = keyof typeof settings;

type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** The value of every setting, by dotted key; `null` for an unset optional setting. */
export type Config = { readonly [K in SettingKey]: ValueOf<(typeof settings)[K]> };

/** Every dotted key, in the order of the reference page. */
export const settingKeys = Object.keys(settings) as readonly SettingKey[]; // a literal's own keys, nothing inherited

/** A setting without its value type, for code that treats all settings alike. */
export function settingOf(key: SettingKey): Setting<unknown> {
  return settings[key];
}

/** The environment variable of a setting: `api.port` is `PLIMSOLL_API_PORT`. */
export function environmentName(key: SettingKey): string {
  return `PLIMSOLL_${key.toUpperCase().replaceAll('.', '_')}`;
}
