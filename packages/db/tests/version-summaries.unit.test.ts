import { type PackageSummary, summarisePackage } from '@plimsoll/advisories';
import type { PackageVersionId, Release } from '@plimsoll/model';
import {
  type SelectedPackages,
  type UpdateNames,
  VersionSummaries,
} from '../src/matching/version-summaries.ts';

const id = (number: number) => number as PackageVersionId;

/** A comparable package without statements, or one without a verdict. */
function summaryOf(number: number, name: string, isKnown = true): PackageSummary {
  return summarisePackage({
    id: id(number),
    name,
    architecture: 'amd64',
    version: '1-1',
    sourceName: name,
    sourceVersion: '1-1',
    verdict: isKnown
      ? {
          kind: 'comparable',
          matchName: name,
          matchVersion: '1-1',
          line: '',
          module: '',
          originStated: true,
          kernel: null,
        }
      : { kind: 'unknown', reason: 'foreign_package', detail: '', kernel: null },
    statements: [],
    release: 'debian:12' as Release,
    folded: [],
  } as Parameters<typeof summarisePackage>[0]);
}

async function loaded(...summaries: PackageSummary[]): Promise<VersionSummaries> {
  const versions = new VersionSummaries();
  await versions.load([summaries.map((summary) => summary.id)], async () => summaries);
  return versions;
}

const none = new Set<PackageVersionId>();
const nothing = { names: { all: [], flagged: [] }, held: none, waived: none };
const alikeOf = ({ alike }: SelectedPackages) => alike;
const idsOf = ({ single, named }: SelectedPackages) => [...named.flatMap((ids) => ids ?? []), ...single];

it('selects only what can change the totals of a host, and counts what counts alike', async () => {
  const versions = await loaded(
    summaryOf(1, 'bash'),
    summaryOf(2, 'zsh'),
    summaryOf(3, 'vendor-agent', false),
    summaryOf(70_000, 'vendor-tool', false),
  );
  const all = [1, 2, 3, 70_000].map(id);
  const select = (names: Partial<UpdateNames<string>>, held: readonly number[] = []) =>
    versions.select(all, {
      names: versions.numbersOf({ all: [], flagged: [], ...names }),
      held: new Set(held.map(id)),
      waived: none,
    });
  expect([idsOf(select({})), alikeOf(select({}))]).toEqual([[], [3, 70_000]]);
  const flagged = select({ all: ['zsh', 'vendor-tool'], flagged: ['zsh', 'vendor-tool'] });
  expect([idsOf(flagged), alikeOf(flagged)]).toEqual([[2, 70_000], [3]]);
  // An update that is not marked as security concerns only packages that have findings or no verdict.
  const unflagged = select({ all: ['zsh', 'vendor-tool'] });
  expect([idsOf(unflagged), alikeOf(unflagged)]).toEqual([[70_000], [3]]);
  const held = select({}, [1, 3, 70_000]);
  expect([idsOf(held), alikeOf(held)]).toEqual([[1, 3, 70_000], []]);
  // A name only applies to the selection that includes it.
  expect([idsOf(select({})), alikeOf(select({}))]).toEqual([[], [3, 70_000]]);
});

it('knows the number of a name before any version has it', async () => {
  const versions = new VersionSummaries();
  const names = versions.numbersOf({ all: ['zsh'], flagged: ['zsh'] });
  await versions.load([[id(2)]], async () => [summaryOf(2, 'zsh')]);
  expect(idsOf(versions.select([id(2)], { ...nothing, names }))).toEqual([2]);
});

it('loads each version once, and again after it was forgotten', async () => {
  const asked: number[][] = [];
  const versions = new VersionSummaries();
  const load = (...wanted: number[]) =>
    versions.load([wanted.map(id)], async (missing) => {
      asked.push([...missing]);
      return missing.map((one) => summaryOf(one, `package-${one}`));
    });
  await load(1, 2, 2);
  await load(2, 3);
  versions.forget([id(2)]);
  await load(1, 2, 3);
  expect(asked).toEqual([[1, 2], [3], [2]]);
});

it('forgets live patches with every change, because other packages decide what they close', async () => {
  const versions = await loaded(summaryOf(1, 'kpatch-patch-5_14_0-70'), summaryOf(2, 'bash'));
  versions.forget([]);
  const asked: number[] = [];
  await versions.load([[id(1), id(2)]], async (missing) => {
    asked.push(...missing);
    return [summaryOf(1, 'kpatch-patch-5_14_0-70')];
  });
  expect(asked).toEqual([1]);
});

it('throws for a version that does not exist', async () => {
  const versions = new VersionSummaries();
  await expect(versions.load([[id(9)]], async () => [])).rejects.toThrow('does not exist');
});

it('keeps no more than its bounds between two loads', async () => {
  const versions = new VersionSummaries();
  const asked: number[] = [];
  const load = (...wanted: number[]) =>
    versions.load([wanted.map(id)], async (missing) => {
      asked.push(...missing);
      // A host decides how long the names of its packages are.
      return missing.map((one) => summaryOf(one, `${one}`.padEnd(20_000_000, 'x')));
    });
  await load(1);
  await load(1);
  expect(asked).toEqual([1]);
  // With the second one it is above its bound, so it forgets both before the next load.
  await load(2);
  await load(1);
  expect(asked).toEqual([1, 2, 1]);
});

it('starts anew when it has numbers for too many names', async () => {
  const versions = await loaded(summaryOf(1, 'bash'));
  const all = Array.from({ length: 200_001 }, (_, n) => `hostile-${n}`);
  versions.numbersOf({ all, flagged: [] });
  const asked: number[] = [];
  const load = () =>
    versions.load([[id(1)]], async (missing) => {
      asked.push(...missing);
      return [summaryOf(1, 'bash')];
    });
  await load();
  await load();
  expect(asked).toEqual([1]);
  expect(versions.numbersOf({ all: ['zsh'], flagged: [] }).all).toEqual([1]);
});
