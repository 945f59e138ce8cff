import { versionSchemes } from '@plimsoll/model';
import { compareKeys, type VersionScheme } from '../src/index.ts';
import { keyOf } from './key-of.ts';
import { readOraclePairs } from './oracle-pairs.ts';

/** The files of each scheme with their number of pairs. */
const CORPORA: Record<VersionScheme, Record<string, number>> = {
  dpkg: { 'dpkg-suites.tsv': 119, 'dpkg-real.tsv': 334, 'dpkg-hard.tsv': 300 },
  rpm: { 'rpm-suites.tsv': 274, 'rpm-real.tsv': 338, 'rpm-hard.tsv': 297 },
};

const FILES = versionSchemes.flatMap((scheme) =>
  Object.entries(CORPORA[scheme]).map(([file, size]) => ({ scheme, file, size })),
);

describe.each(FILES)('$file', ({ scheme, file, size }) => {
  const pairs = readOraclePairs(file);
  const turned = pairs.map(({ a, order, b }) => ({ a: b, order: 0 - order, b: a }));
  const bothWays = [...pairs, ...turned];

  it('has the expected number of pairs', () => {
    expect(pairs).toHaveLength(size);
  });

  it(`gives every pair keys whose bytes order as ${scheme} does, in both directions`, () => {
    const wrong = bothWays.filter(
      ({ a, order, b }) =>
        compareKeys(keyOf(scheme, a), keyOf(scheme, b)) !== order ||
        Buffer.compare(keyOf(scheme, a), keyOf(scheme, b)) !== order,
    );
    expect(wrong).toEqual([]);
  });
});
