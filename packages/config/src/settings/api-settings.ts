import {
  bearerText,
  contact,
  filePath,
  headerName,
  integer,
  listenHost,
  proxies,
  publicUrl,
  secretText,
} from '../setting-type.ts';
import { optional, preset } from './setting.ts';

/** Settings of the API. */
export const apiSettings = {
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
      'headers are ignored, and `X-Forwarded-Host` from every address.',
  ),
  'api.client_name_header': optional(
    headerName(),
    "A header in which a trusted proxy passes the name of an agent's client certificate (mutual TLS). Agents then need a " +
      "certificate of their host's name, besides their token. The proxy must replace the header in every request.",
  ),
  'api.hsts_days': preset(
    integer(0, 730),
    30,
    'Days for which browsers that have seen the API over https use only https for its name, on all ports ' +
      '(Strict-Transport-Security). Sent over TLS of the API or of a trusted proxy. 0: not sent.',
  ),
  'api.metrics_token': optional(
    bearerText(16),
    'The bearer token that `/metrics` requires, and the details of `/readyz`. Unset: only requests from this machine ' +
      'itself, and not through a proxy, get them.',
    { secret: true },
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
      'many of them. At most one less than `database.pool_size`, so that each read finds a connection.',
  ),
  'api.large_reads_per_user': preset(integer(1, 10_000), 3, 'How many of these reads one user may have.'),
  'api.jwt_secret_key': optional(
    secretText(32),
    'Signs the tokens of users. If it is unset, `plimsoll start` generates one in the data folder. A change ' +
      'ends every session, unless the old key is `api.jwt_secret_key_previous`.',
    { aliases: ['API_JWT_SECRET_KEY'], secret: true },
  ),
  'api.jwt_secret_key_previous': optional(
    secretText(32),
    'The key that `api.jwt_secret_key` replaces: tokens that it signed stay valid, new ones have the new key. ' +
      'Remove it once `api.token_lifetime_minutes` and `api.session_idle_minutes` have passed.',
    { secret: true },
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
    'Minutes for which the token of a script is valid after signing in. Sessions of the dashboard have ' +
      '`api.session_idle_minutes` and `api.session_lifetime_minutes` instead.',
  ),
  'api.session_idle_minutes': preset(
    integer(15, 43_200),
    480,
    'Minutes after which a session of the dashboard ends if no tab of it is open. An open tab refreshes the ' +
      'session every few minutes.',
  ),
  'api.session_lifetime_minutes': preset(
    integer(15, 525_600),
    10_080,
    'Minutes after which a session of the dashboard ends in any case, and its user signs in again.',
  ),
  'api.security_contact': optional(
    contact(),
    'Where to report a weakness of this installation, for instance `mailto:security@example.org`. ' +
      '`/.well-known/security.txt` states it. Unset: there is no such file.',
  ),
} as const;
