import {
  feedDays,
  feedMinutes,
  feedUrls,
  filePath,
  flag,
  folder,
  guardedUrl,
  integer,
  networks,
  url,
  words,
} from '../setting-type.ts';
import { optional, preset } from './setting.ts';

/** Settings of feeds and advisories. */
export const feedSettings = {
  'feeds.base_url': optional(
    guardedUrl(['https', 'http', 'file']),
    'A mirror from which advisory feeds are fetched: an HTTP server or a `file:///` folder with ' +
      '`<Ecosystem>/all.zip`, as in the public OSV export, and the other files listed in docs/operations/closed-networks.md. ' +
      'Unset: each feed is fetched from its publisher. A user name and password in the URL ' +
      '(`https://user:password@mirror/…`) are sent to its origin only, not where it redirects to.',
  ),
  'feeds.urls': preset(
    feedUrls(),
    [],
    'Other addresses for single feeds, with precedence over `feeds.base_url`. A URL that ends in `/` is a ' +
      'mirror of the feed, with its files at the same paths as below `feeds.base_url`; any other URL is the ' +
      'only file of the feed. User name and password as for `feeds.base_url`.',
  ),
  'feeds.proxy': optional(
    url(['http', 'https']),
    'The proxy through which feeds are fetched and notifications are sent, except e-mail, with user name and password ' +
      'if it requires them. Unset: the ' +
      'one in the usual variables `HTTPS_PROXY` and `HTTP_PROXY`. Servers in `NO_PROXY` and this machine are ' +
      'reached directly. The proxy resolves names of feeds, so `feeds.allowed_private_networks` applies only to ' +
      'addresses; names of channels are resolved and checked first, see `notifications.proxied_names`.',
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
  'feeds.sync_interval_minutes': preset(
    feedMinutes(),
    ['360', 'cisa-ssvc=1440'],
    'Minutes between two fetches of a feed: a number for all feeds, and other numbers for single ones. A list ' +
      'replaces the whole default. The archive of CISA SSVC has hundreds of megabytes and no short form.',
  ),
  'feeds.stale_after_days': preset(
    feedDays(),
    [
      '3',
      'debian-lifecycles=30',
      'ubuntu-lifecycles=30',
      'fedora-lifecycles=30',
      'redhat-repository-to-cpe=30',
    ],
    'Days after which the data of a feed is outdated: a number for all feeds, and other numbers for single ' +
      'ones. A list replaces the whole default. Choose more than the days between two syncs or imports: `8` for ' +
      'weekly imports of files.',
  ),
  'feeds.download_dir': optional(
    folder(),
    'Where the advisory-worker keeps files of feeds until they are imported, so that a sync goes on after a ' +
      'restart. Unset: `downloads` in `data_dir`. Two ' +
      'installations must not share it.',
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
    'A JSON file with known errors of feeds, in place of the list in Plimsoll: docs/operations/feed-limits.md. The ' +
      'advisory-worker reads it when it starts, and does not start with a file that has mistakes.',
  ),
} as const;
