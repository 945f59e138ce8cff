import type { FeedOverride } from './feed-override.ts';
import { type OverridesReading, readOverrides } from './read-overrides.ts';

/** Debian's tracker has no first affected version; therefore OSV, which is made from it, has none either. */
const xz = {
  release: 'debian:13',
  package: 'xz-utils',
  cve: 'CVE-2024-3094',
  affected_from: '5.5.1alpha-0.1',
  affected_before: '5.6.1+really5.4.5-1',
  reason:
    'Debian says that versions from 5.5.1alpha-0.1 to 5.6.1-1 contained the malicious code; the feed also names all ' +
    'earlier versions.',
  source: 'https://lists.debian.org/debian-security-announce/2024/msg00057.html',
};

/**
 * Known errors of feeds, in the form of an operator's own file. Each entry is reviewed against its source. An entry
 * that the feed has corrected is removed: `GET /feeds` shows how many statements each entry applies to.
 */
const entries = [
  { feed: 'debian-osv', ...xz },
  { feed: 'debian-tracker', ...xz },
];

/** The known errors of feeds that apply without an operator's file. */
export const knownFeedErrors: readonly FeedOverride[] = checked(readOverrides(entries));

function checked(reading: OverridesReading): readonly FeedOverride[] {
  if (reading.kind === 'read') return reading.overrides;
  const [first] = reading.mistakes;
  throw new Error(`the list of known feed errors is wrong: ${first?.pointer} ${first?.detail}`);
}
