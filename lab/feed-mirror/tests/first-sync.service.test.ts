import { waitFor } from '@plimsoll/testing';
import { feedLayouts } from '../src/index.ts';
import { type MirroredService, type MirrorWay, startMirroredService } from './mirrored-service.ts';

const records = 5;

/** Feeds whose number of records differs from the number per file, with the reason. */
const otherCounts: Readonly<Record<string, number>> = {
  // Four kinds of repository have their own ids.
  'amazon-updateinfo': 4 * records,
  // Each release has updates with their own ids.
  'epel-updateinfo': 4 * records,
  // Releases with an end of support.
  'debian-lifecycles': 3,
  'ubuntu-lifecycles': 2,
  'fedora-lifecycles': 3,
};

const ways: readonly (readonly [string, MirrorWay])[] = [
  ['public addresses', 'public_addresses'],
  ['a base address', 'base_address'],
];

describe.each(ways)('the first sync of every feed at %s, over TLS', (_name, way) => {
  let mirrored: MirroredService;
  beforeAll(async () => {
    mirrored = await startMirroredService(way, {
      layouts: feedLayouts,
      volume: { records, proseCharacters: 200 },
    });
  });
  afterAll(() => mirrored.stop());

  it('has a layout for every feed that has an address', async () => {
    const fetched = (await mirrored.feeds()).filter(({ import_only: importOnly }) => !importOnly);
    expect(fetched.map(({ id }) => id).sort()).toEqual(feedLayouts.map(({ feedId }) => feedId).sort());
  });

  it.each(feedLayouts.map(({ feedId }) => feedId))('%s', async (feedId) => {
    await mirrored.sync(feedId);
    const count = otherCounts[feedId] ?? records;
    // For a feed of an archive and its changes, the second sync stores the changes.
    await waitFor(`${feedId} to have ${count} records`, async () => {
      const { state, records: stored } = await mirrored.feed(feedId);
      return stored === count || state === 'failed';
    });
    expect(await mirrored.feed(feedId)).toMatchObject({ state: 'ok', last_error: null, records: count });
  });
});
