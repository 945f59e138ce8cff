import { numbersFrom, prose } from '../content/deterministic.ts';
import { cveOfRecord } from '../content/osv-records.ts';
import type { FeedLayout } from '../layout.ts';

/** The JSON of Debian's security tracker: one object, by source package and CVE. */
export const debianTrackerLayout: FeedLayout = {
  feedId: 'debian-tracker',
  files: ({ store, volume: { records, proseCharacters } }) => {
    const next = numbersFrom(1);
    const stateOf = (n: number, codename: string) => ({
      repositories: { [codename]: `1.${n}-1` },
      urgency: 'not yet assigned',
      ...(n % 5 === 4
        ? { status: 'open', nodsa: 'Minor issue', nodsa_reason: n % 2 === 0 ? 'postponed' : 'ignored' }
        : { status: 'resolved', fixed_version: `1.${n}-1+deb12u1` }),
    });
    const pieces = Array.from({ length: records }, (_, n) => {
      const releases = Object.fromEntries(
        ['bookworm', 'trixie', 'sid'].map((codename) => [codename, stateOf(n, codename)]),
      );
      const issue = { scope: 'remote', description: prose(proseCharacters, next), releases };
      return `${JSON.stringify(`source${n}`)}: ${JSON.stringify({ [cveOfRecord(n)]: issue })}`;
    });
    return [
      {
        url: 'https://security-tracker.debian.org/tracker/data/json',
        content: store.keep([`{${pieces.join(', ')}}`]),
      },
    ];
  },
};
