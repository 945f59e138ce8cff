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
    'The folder of the embedded database, the generated secrets and the logs. Only `plimsoll` commands use ' +
      'it, and the advisory-worker for `feeds.download_dir`.',
  ),
  'log.level': preset(
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'The lowest level of log lines that are written.',
  ),
  'api.host': preset(
    listenHost(),
    '0.0.0.0',
    'The address the API listens on. The default accepts connections from other machines, because agents ' +
      'report from them. Set `127.0.0.1` if a reverse proxy on the same machine forwards requests.',
  ),
  'api.port': preset(integer(1, 65_535), 8080, 'The TCP port the API listens on.', { aliases: ['PORT'] }),
  'api.public_url': optional(
    publicUrl(),
    'The URL under which users and agents reach the API; install commands contain it. Unset: taken from the ' +
      'request.',
  ),
  'api.tls_cert_file': optional(
    filePath(),
    "The API's certificate chain in PEM form, its own certificate first. With it, `api.port` accepts only " +
      'https. The API reads the file again when it changes, without a restart.',
  ),
  'api.tls_key_file': optional(
    filePath(),
    'The private key of `api.tls_cert_file` in PEM form, without a passphrase. Set both or neither.',
  ),
  'api.trusted_proxies': preset(
    proxies(),
    [],
    'Reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. From other addresses these ' +
      'headers are ignored.',
  ),
  'api.max_connections': optional(
    integer(16, 1_000_000),
    'The most connections the API keeps open. Above that it closes connections without a complete request, ' +
      'first the oldest of the address with the most of them. Unset: 10000. The limit is lower if the process ' +
      'may not open that many files.',
  ),
  'api.incomplete_connections_per_address': preset(
    integer(1, 1_000_000),
    500,
    'The most connections of one address (IPv6: of one /64 network) that wait longer than five seconds ' +
      'without a complete request and without a valid credential. Connections of trusted proxies count for the ' +
      'address that the proxy reports. A fleet behind one address is not limited, because its agents send ' +
      'complete requests.',
  ),
  'api.request_timeout_seconds': preset(
    integer(5, 600),
    30,
    'Seconds that a client may take for the head of a request, then for its body. Uploads and imports have more ' +
      'time for their bodies. A TLS handshake has 10 seconds, or this time if it is shorter.',
  ),
  'api.answer_timeout_seconds': preset(
    integer(5, 600),
    15,
    'Seconds within which a client must read 64 KiB of a waiting answer, or the rest of it. In total an ' +
      'answer may wait for its client for this time and one second more for each 64 KiB that the client reads. ' +
      'The API closes the connection of a slower client. Event streams have a separate limit.',
  ),
  'api.large_reads': preset(
    integer(1, 10_000),
    8,
    'How many large reads the API answers at a time: lists of hosts, packages and advisories, exports, CVEs ' +
      'and searches. Others wait for at most 15 seconds and are then answered 503, or 429 if the user has too ' +
      'many of them. Keep it below `database.pool_size`, so that each read finds a connection.',
  ),
  'api.large_reads_per_user': preset(integer(1, 10_000), 3, 'How many of these reads one user may have.'),
  'api.jwt_secret_key': optional(
    secretText(32),
    'Signs the tokens of users. If it is unset, `plimsoll start` generates one in the data folder. A change ' +
      'ends every session.',
    { aliases: ['API_JWT_SECRET_KEY'], secret: true },
  ),
  'api.setup_code': optional(
    secretText(12),
    'A code that setup requires in addition to e-mail address and password. Unset: the first person who ' +
      'reaches the API can become its admin. It has no effect once a user exists.',
    { secret: true },
  ),
  'api.token_lifetime_minutes': preset(
    integer(1, 43_200),
    480,
    "Minutes for which a user's token is valid after signing in.",
  ),
  'database.url': optional(
    url(['postgresql', 'postgres']),
    'The PostgreSQL database: for an app, with the user and password of its own role; for `plimsoll migrate` ' +
      'and `plimsoll start`, those of a user who may create roles. Unset: `plimsoll start` runs a private one ' +
      'in the data folder.',
    { aliases: ['DATABASE_URL'], secret: true },
  ),
  'database.password_file': optional(
    filePath(),
    'A file whose first line is the password of the user in `database.url`, instead of one in the URL. Make ' +
      'it unreadable for other users of the machine.',
  ),
  'database.role_prefix': preset(
    rolePrefix(),
    'plimsoll',
    'The prefix of the database roles: `plimsoll_owner` owns the tables, and each app has its role, such as ' +
      '`plimsoll_api`. Roles belong to the whole server: two installations on one server need two prefixes.',
  ),
  'database.role_passwords_dir': optional(
    folder(),
    'A folder with the passwords of these roles, each in `<app>/password`. `plimsoll migrate` sets them and ' +
      'generates missing ones. Unset: `plimsoll start` uses the data folder, and `plimsoll migrate` sets none. ' +
      'Only these two commands use it; no app gets it.',
  ),
  'database.pool_size': preset(
    integer(1, 500),
    10,
    'The most database connections of one process. Every app is a separate process; the API uses the same ' +
      'number again for large reads.',
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
    'Where the queues are stored. `auto`: in Redis if it is configured or started, otherwise in the ' +
      'PostgreSQL database.',
  ),
  'queue.prefix': preset(
    bracedName(),
    '{plimsoll}',
    'The prefix of the queue names; the braces keep them on one node of a Redis Cluster.',
  ),
  'feeds.base_url': optional(
    guardedUrl(['https', 'http', 'file']),
    'A mirror from which advisory feeds are fetched: an HTTP server or a `file:///` folder with ' +
      '`<Ecosystem>/all.zip`, as in the public OSV export, and the other files listed in docs/operations.md. ' +
      'Unset: each feed is fetched from its publisher.',
  ),
  'feeds.urls': preset(
    feedUrls(),
    [],
    'Other addresses for single feeds, with precedence over `feeds.base_url`. A URL that ends in `/` is a ' +
      'mirror of the feed, with its files at the same paths as below `feeds.base_url`; any other URL is the ' +
      'only file of the feed.',
  ),
  'feeds.proxy': optional(
    url(['http', 'https']),
    'The proxy through which feeds are fetched, with user name and password if it requires them. Unset: the ' +
      'one in the usual variables `HTTPS_PROXY` and `HTTP_PROXY`. Servers in `NO_PROXY` and this machine are ' +
      'reached directly. The proxy resolves names, so `feeds.allowed_private_networks` applies only to ' +
      'addresses.',
    { secret: true },
  ),
  'feeds.enabled': preset(
    words(),
    ['auto'],
    'The feeds that are fetched on schedule, by their ids in `GET /feeds`. Only `auto`: the feeds for ' +
      'releases that hosts run, CISA KEV, EPSS and CISA SSVC.',
  ),
  'feeds.sync_enabled': preset(
    flag(),
    true,
    'Whether feeds are fetched on schedule. Manual imports and syncs work in any case.',
  ),
  'feeds.sync_interval_minutes': preset(integer(5, 10_080), 360, 'Minutes between two fetches of a feed.'),
  'feeds.stale_after_days': preset(
    feedDays(),
    ['3', 'debian-lifecycles=30', 'ubuntu-lifecycles=30', 'redhat-repository-to-cpe=30'],
    'Days after which the data of a feed is outdated: a number for all feeds, and other numbers for single ' +
      'ones. A list replaces the whole default. Choose more than the days between two syncs or imports: `8` for ' +
      'weekly imports of files.',
  ),
  'feeds.download_dir': optional(
    folder(),
    'Where the advisory-worker keeps files of feeds until they are imported, so that a sync goes on after a ' +
      'restart. Unset: `downloads` in `data_dir`. Put it on a disk of its own if `data_dir` is small: a first ' +
      'sync needs up to 2 GiB.',
  ),
  'feeds.download_reserve_mebibytes': preset(
    integer(0, 1_073_741_824),
    512,
    'Free space, in MiB, that a sync leaves on the disk of `feeds.download_dir`. A sync that would need more ends ' +
      'with the cause `disk` and goes on once there is space.',
  ),
  'feeds.allowed_private_networks': preset(
    networks(),
    [],
    'Private, loopback and link-local networks from which feeds may be fetched. Without an entry, only public ' +
      'addresses are connected to, for any name and any redirect.',
  ),
  'advisories.overrides_file': optional(
    filePath(),
    'A JSON file with known errors of feeds, in place of the list in Plimsoll: see docs/operations.md. The ' +
      'advisory-worker reads it when it starts, and does not start with a file that has mistakes.',
  ),
  'ssh.sealing_public_key_file': optional(
    filePath(),
    'The public key to which private SSH keys are sealed before they are stored. The API reads it for every ' +
      'new key, so that `plimsoll secrets rotate` needs no restart. `plimsoll secrets create` creates it; if it ' +
      'is unset, `plimsoll start` creates one in the data folder.',
  ),
  'ssh.sealing_keys_file': optional(
    filePath(),
    'The matching private keys, newest first: they open the stored SSH keys. Only the ssh-worker and the ' +
      '`plimsoll secrets` commands get it. It is created like the public key. Other users of the machine must ' +
      'not be able to read it.',
  ),
  'ssh.allowed_networks': preset(
    networks(),
    [],
    'Loopback, link-local and metadata networks to which SSH pulls may connect. Other addresses, including ' +
      'private ones, need no entry.',
  ),
  'ssh.connect_timeout_seconds': preset(
    integer(1, 120),
    10,
    'Seconds that connecting to a host may take: TCP, the greeting of its SSH server and the key exchange.',
  ),
  'ssh.pull_timeout_seconds': preset(
    integer(10, 3600),
    300,
    'Seconds that a whole pull may take, from the first connection to the end of the report.',
  ),
  'agent.report_interval_seconds': preset(
    integer(60, 604_800),
    3600,
    'Seconds between two reports of an agent. Agents learn a change with their next report.',
  ),
  'uploads.burst': preset(
    integer(1, 10_000),
    30,
    'Uploads with new content that one host may send at once. Uploads by agents, by people and by pulls over ' +
      'SSH are counted separately. Further ones are answered 429, and the agent sends its newest report later.',
  ),
  'uploads.every_seconds': preset(
    integer(1, 86_400),
    60,
    'Seconds after which one host may send one more upload, once `uploads.burst` is used up. An unchanged ' +
      'upload counts for a tenth.',
  ),
  'uploads.mebibytes_per_day': preset(
    integer(32, 1_048_576),
    128,
    'MiB that the uploads of one host may have in 24 hours, compressed; unchanged ones are not counted.',
  ),
  'uploads.new_packages_per_day': preset(
    integer(1_000, 10_000_000),
    30_000,
    'New versions of packages and updates that one host may report in 24 hours. A version is new if no other ' +
      'host had it before; changes of more than 100 packages at a time are counted, too. An upgrade to a new ' +
      'release needs some thousands. An upload above the limit is rejected with `rate_limited`.',
  ),
  'uploads.pending_per_day': preset(
    integer(100, 10_000_000),
    20_000,
    'Uploads that the pending hosts of one registration token may send together in 24 hours. Uploads above ' +
      'this or the next limit are answered 429. Approved hosts are not counted.',
  ),
  'uploads.pending_mebibytes_per_day': preset(
    integer(32, 1_048_576),
    512,
    'MiB that the uploads of these hosts may have together in 24 hours, compressed; unchanged ones are not counted.',
  ),
  'uploads.pending_new_packages_per_day': preset(
    integer(1_000, 10_000_000),
    30_000,
    'New versions of packages and updates, and changes, counted as for `uploads.new_packages_per_day`, that ' +
      'these hosts may report together in 24 hours. An upload above the limit is stored, and waits until the ' +
      'allowance suffices or its host is approved.',
  ),
  'uploads.token_mebibytes_per_day': preset(
    integer(32, 1_048_576),
    2_048,
    'MiB that the uploads of the hosts that one registration token approved in the last 24 hours may have ' +
      'together in 24 hours, compressed; unchanged ones are not counted. Uploads above this are answered 429.',
  ),
  'uploads.token_new_packages_per_day': preset(
    integer(1_000, 10_000_000),
    100_000,
    'New versions of packages and updates, counted as for `uploads.new_packages_per_day` but without changes, ' +
      'that these hosts may report together in 24 hours. An upload above the limit is stored, and waits until ' +
      'the allowance suffices, its host is approved by a user, or 24 hours after its enrolment.',
  ),
  'enrolment.burst': preset(
    integer(1, 100_000),
    100,
    'Hosts that may enrol at once with one registration token. Further ones are answered 429, and their ' +
      'agents try again.',
  ),
  'enrolment.per_minute': preset(
    integer(1, 100_000),
    300,
    'Hosts per minute that may enrol with one registration token, once `enrolment.burst` is used up.',
  ),
  'hosts.manual_stale_days': preset(
    integer(1, 3650),
    30,
    'Days without a new report after which a host of the mode `manual` is stale.',
  ),
  'hosts.repository_max_lag_days': preset(
    integer(1, 3650),
    7,
    'Days by which a copy of a repository may be older than the newest known one before its host is outdated.',
  ),
  'hosts.repository_max_lag_exceptions': preset(
    lagExceptions(),
    [],
    'Other numbers of days: for a repository by its suite or id (`noble-security=3`, `Debian/bookworm=30`), ' +
      'for hosts with a tag (`@ring-2=30`), or for both (`noble-security@ring-2=14`). Both take precedence over ' +
      'a tag alone, and a tag over a repository alone.',
  ),
  'retention.uploads_days': preset(
    integer(1, 3650),
    30,
    'Days for which the raw bytes of finished uploads are kept.',
  ),
  'retention.trend_days': preset(
    integer(1, 3650),
    400,
    'Days for which the daily totals of the fleet are kept: the range of `GET /fleet/trend`.',
  ),
  'retention.audit_days': preset(integer(1, 36_500), 400, 'Days for which the audit log is kept.'),
  'worker.health_host': preset(
    listenHost(),
    '127.0.0.1',
    'The address on which workers and the scheduler serve `/healthz` and `/metrics`.',
  ),
  'worker.health_port': optional(
    integer(1, 65_535),
    'The port for them. Unset: workers and the scheduler serve neither.',
  ),
  'report_worker.concurrency': preset(
    integer(1, 256),
    16,
    'Uploads that one report-worker process parses at a time; they are written together.',
  ),
  'advisory_worker.concurrency': preset(
    integer(1, 256),
    16,
    'Uploads that one advisory-worker process matches at a time; they are written together.',
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
