import { type PackageSummary, summarisePackage } from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import { VersionSummaries } from '../src/matching/version-summaries.ts';

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
    folded: [],
  } as Parameters<typeof summarisePackage>[0]);
}

async function loaded(...summaries: PackageSummary[]): Promise<VersionSummaries> {
  const versions = new VersionSummaries();
  await versions.load([summaries.map((summary) => summary.id)], async () => summaries);
  return versions;
}

const nothing = { names: [], held: new Set<PackageVersionId>() };
const idsOf = (selected: readonly PackageSummary[]) => selected.map((summary) => summary.id);

it('selects only what can change the totals of a host', async () => {
  const versions = await loaded(
    summaryOf(1, 'bash'),
    summaryOf(2, 'zsh'),
    summaryOf(70_000, 'vendor-tool', false),
  );
  const all = [1, 2, 70_000].map(id);
  expect(idsOf(versions.select(all, nothing))).toEqual([70_000]);
  expect(idsOf(versions.select(all, { ...nothing, names: [versions.numberOf('zsh')] }))).toEqual([2, 70_000]);
  expect(idsOf(versions.select(all, { ...nothing, held: new Set([id(1)]) }))).toEqual([1, 70_000]);
  // A name only applies to the selection that includes it.
  expect(idsOf(versions.select(all, nothing))).toEqual([70_000]);
});

it('knows the number of a name before any version has it', async () => {
  const versions = new VersionSummaries();
  const names = [versions.numberOf('zsh')];
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
