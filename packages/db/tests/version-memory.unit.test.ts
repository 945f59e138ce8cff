import type { AssessedPackage } from '@plimsoll/advisories';
import type { PackageVersionId, Release } from '@plimsoll/model';
import { VersionMemory } from '../src/knowledge/version-memory.ts';

const id = (number: number) => number as PackageVersionId;

/** A package without statements. */
function subjectOf(number: number, name: string): AssessedPackage {
  return {
    id: id(number),
    name,
    architecture: 'amd64',
    version: '1-1',
    sourceName: name,
    sourceVersion: '1-1',
    verdict: {
      kind: 'comparable',
      matchName: name,
      matchVersion: '1-1',
      line: '',
      module: '',
      originStated: true,
      kernel: null,
    },
    statements: [],
    release: 'debian:12' as Release,
    folded: [],
  };
}

/** Loads versions; returns those that were not kept. */
async function load(
  memory: VersionMemory,
  wanted: readonly number[],
  nameOf = (number: number) => `package-${number}`,
): Promise<readonly number[]> {
  const asked: number[] = [];
  await memory.load([wanted.map(id)], async function* (missing) {
    asked.push(...missing);
    yield* missing.map((one) => subjectOf(one, nameOf(one)));
  });
  return asked;
}

it('loads each version once, and again after it was forgotten', async () => {
  const memory = new VersionMemory();
  expect(await load(memory, [1, 2, 2])).toEqual([1, 2]);
  expect(await load(memory, [2, 3])).toEqual([3]);
  memory.forget([id(2)]);
  expect(await load(memory, [1, 2, 3])).toEqual([2]);
});

it('forgets live patches with every change, because other packages decide what they close', async () => {
  const memory = new VersionMemory();
  const nameOf = (number: number) => (number === 1 ? 'kpatch-patch-5_14_0-70' : 'bash');
  await load(memory, [1, 2], nameOf);
  memory.forget([]);
  expect(await load(memory, [1, 2], nameOf)).toEqual([1]);
});

it('throws for a version that does not exist', async () => {
  const found = new VersionMemory().load([[id(9)]], async function* () {
    yield* [];
  });
  await expect(found).rejects.toThrow('does not exist');
});

it('keeps no more than its bounds between two loads', async () => {
  const memory = new VersionMemory();
  // A host decides how long the names of its packages are.
  const loadLong = (number: number) => load(memory, [number], () => `${number}`.padEnd(20_000_000, 'x'));
  expect([await loadLong(1), await loadLong(1)]).toEqual([[1], []]);
  // With the second one it is above its bound, so it forgets both before the next load.
  expect([await loadLong(2), await loadLong(1)]).toEqual([[2], [1]]);
});

it('keeps versions of its state of knowledge only, which a policy of due dates changes', async () => {
  const memory = new VersionMemory();
  const undated = memory.followPolicy(false);
  memory.keep([subjectOf(1, 'bash')], undated);
  expect(await load(memory, [1])).toEqual([]);
  memory.followPolicy(true);
  memory.keep([subjectOf(1, 'bash')], undated);
  expect(await load(memory, [1])).toEqual([1]);
});
