import { compareKeys, compareVersions, sortKey, type VersionScheme } from '../src/index.ts';
import { readOraclePairs } from './oracle-pairs.ts';
import { keyOf, versionOf } from './parsed.ts';

const CORPORA: { scheme: VersionScheme; file: string; size: number }[] = [
  { scheme: 'dpkg', file: 'dpkg-suites.tsv', size: 119 },
  { scheme: 'dpkg', file: 'dpkg-real.tsv', size: 334 },
  { scheme: 'dpkg', file: 'dpkg-hard.tsv', size: 300 },
  { scheme: 'rpm', file: 'rpm-suites.tsv', size: 274 },
  { scheme: 'rpm', file: 'rpm-real.tsv', size: 338 },
  { scheme: 'rpm', file: 'rpm-hard.tsv', size: 297 },
];

describe.each(CORPORA)('$file', ({ scheme, file, size }) => {
  const pairs = readOraclePairs(file);
  const turned = pairs.map(({ a, order, b }) => ({ a: b, order: 0 - order, b: a }));
  const bothWays = [...pairs, ...turned];

  it('is read whole', () => {
    expect(pairs).toHaveLength(size);
  });

  it(`orders every pair as ${scheme} does, in both directions`, () => {
    const wrong = bothWays.filter(
      ({ a, order, b }) => compareVersions(scheme, versionOf(scheme, a), versionOf(scheme, b)) !== order,
    );
    expect(wrong).toEqual([]);
  });

  it(`gives every pair keys whose bytes order as ${scheme} does, in both directions`, () => {
    const wrong = bothWays.filter(
      ({ a, order, b }) =>
        compareKeys(keyOf(scheme, a), keyOf(scheme, b)) !== order ||
        Buffer.compare(keyOf(scheme, a), keyOf(scheme, b)) !== order,
    );
    expect(wrong).toEqual([]);
  });

  it('gives a text and its parsed version the same key', () => {
    for (const { a } of bothWays) expect(sortKey(versionOf(scheme, a))).toEqual(keyOf(scheme, a));
  });
});
