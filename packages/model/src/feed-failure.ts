/**
 * Why a sync of a feed failed. `not_readable`: the downloaded file is not in the expected format. `incomplete`: it
 * lacks most of the stored records. `unstable`: index and file do not match.
 */
export const feedFailureCauses = [
  'dns',
  'refused',
  'timeout',
  'tls',
  'certificate_expired',
  'proxy',
  'not_found',
  'access_denied',
  'rate_limited',
  'server_error',
  'unexpected_status',
  'redirect_refused',
  'address_refused',
  'cut_off',
  'too_large',
  'unstable',
  'not_readable',
  'incomplete',
  'disk',
  'internal',
] as const;

/** One of `feedFailureCauses`. */
export type FeedFailureCause = (typeof feedFailureCauses)[number];

/** Actions an operator can take for a failed feed. */
export const feedWaysOut = [
  'sync',
  'wait',
  'check_url',
  'network',
  'proxy',
  'trust_certificate',
  'allow_address',
  'free_space',
  'mirror',
  'other_feed',
  'import',
  'log',
] as const;

/** One of `feedWaysOut`. */
export type FeedWayOut = (typeof feedWaysOut)[number];

const unreachable = ['network', 'proxy', 'mirror', 'import'] as const;

const waysByCause: Readonly<Record<FeedFailureCause, readonly FeedWayOut[]>> = {
  dns: unreachable,
  refused: unreachable,
  timeout: unreachable,
  tls: ['trust_certificate', 'mirror', 'import'],
  certificate_expired: ['wait', 'mirror', 'import'],
  proxy: ['proxy', 'mirror', 'import'],
  not_found: ['check_url', 'mirror', 'import'],
  access_denied: ['check_url', 'proxy', 'mirror', 'import'],
  rate_limited: ['wait', 'mirror', 'import'],
  server_error: ['wait', 'mirror', 'import'],
  unexpected_status: ['check_url', 'mirror', 'import'],
  redirect_refused: ['check_url', 'mirror', 'import'],
  address_refused: ['check_url', 'allow_address', 'mirror', 'import'],
  cut_off: ['wait', 'network', 'mirror', 'import'],
  too_large: ['check_url', 'mirror', 'log'],
  unstable: ['wait', 'mirror', 'import'],
  not_readable: ['check_url', 'mirror', 'import', 'log'],
  incomplete: ['check_url', 'import', 'log'],
  disk: ['free_space', 'log'],
  internal: ['log'],
};

/** Returns the actions for a failed sync, in the order to try them. */
export function waysOutOf(cause: FeedFailureCause): readonly FeedWayOut[] {
  return waysByCause[cause];
}

const wayOutSentences: Readonly<Record<FeedWayOut, string>> = {
  sync: 'Sync the feed now.',
  wait: 'Wait: the service tries again by itself.',
  check_url:
    'Check the address: feeds.base_url and feeds.urls, or whether a newer Plimsoll knows another one.',
  network: "Check this server's name resolution, route and firewall.",
  proxy: 'Check or set the proxy to the internet: feeds.proxy, or HTTPS_PROXY and NO_PROXY.',
  trust_certificate:
    'Let the service trust the certificate authority, for instance that of an inspecting proxy: NODE_EXTRA_CA_CERTS.',
  allow_address: 'If the address is meant, list its network in feeds.allowed_private_networks.',
  free_space: 'Free space in the temporary folder of the advisory-worker, and check that it can be written.',
  mirror:
    'Fetch it from a mirror that this server can reach: feeds.base_url, or feeds.urls for this feed alone.',
  other_feed: 'Use another feed that covers the same hosts.',
  import: 'Download the file elsewhere and import it.',
  log: 'Read the log of the advisory-worker.',
};

/** Returns one sentence that describes the action to an operator. */
export function wayOutSentence(way: FeedWayOut): string {
  return wayOutSentences[way];
}
