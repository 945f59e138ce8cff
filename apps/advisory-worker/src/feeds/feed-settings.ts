import { type EnabledFeeds, enabledFeedsOf } from '@plimsoll/advisories';
import { createFeedAddressPolicy, proxiesOf } from '@plimsoll/outbound';
import type { ProcessEnvironment } from '@plimsoll/process';
import type { FeedRoutes } from './feed-connection.ts';
import { type FeedMirrors, feedMirrorsOf } from './feed-sources.ts';

/** The settings about where feeds are and the ways to them. */
export type FeedSettings = Pick<
  ProcessEnvironment['config'],
  'feeds.allowed_private_networks' | 'feeds.base_url' | 'feeds.enabled' | 'feeds.proxy' | 'feeds.urls'
>;

/** Where feeds are and the ways to them, with proxies from `env` if the settings have none. */
export function feedSettingsOf(
  settings: FeedSettings,
  env: Readonly<Record<string, string | undefined>>,
): FeedRoutes & { readonly mirrors: FeedMirrors; readonly enabledFeeds: EnabledFeeds } {
  return {
    addressPolicy: createFeedAddressPolicy(settings['feeds.allowed_private_networks']),
    proxies: proxiesOf(settings['feeds.proxy'], env),
    mirrors: feedMirrorsOf(settings['feeds.base_url'], settings['feeds.urls']),
    enabledFeeds: enabledFeedsOf(settings['feeds.enabled']),
  };
}
