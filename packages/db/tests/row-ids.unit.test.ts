import { digestOf } from '../src/ingest/interned-rows.ts';
import { createIdCache } from '../src/ingest/interning.ts';
import { RowIds } from '../src/ingest/row-ids.ts';

/** A table in memory, and the texts of each statement on it. */
function memoryTable(stored: readonly string[] = []) {
  const ids = new Map(stored.map((text, n) => [text, n + 1]));
  const rowsOf = (texts: readonly string[]) =>
    texts.flatMap((text) => {
      const id = ids.get(text);
      return id === undefined ? [] : [{ id, digest: digestOf(text) }];
    });
  const statements = { find: [] as number[], insert: [] as string[][] };
  const rows = new RowIds<string>(
    {
      async find(digests) {
        statements.find.push(digests.length);
        return rowsOf([...ids.keys()]).filter(({ digest }) =>
          digests.some((wanted) => wanted.equals(digest)),
        );
      },
      async insert(missing) {
        const texts = missing.map(({ item }) => item);
        statements.insert.push(texts);
        for (const text of texts) if (!ids.has(text)) ids.set(text, ids.size + 1);
        return rowsOf(texts);
      },
    },
    createIdCache(),
  );
  return {
    statements,
    idsOf: (texts: readonly string[], admit: (n: number) => Promise<void>) =>
      rows.idsOf(texts, texts, digestOf, admit),
  };
}

const admitAll = async () => undefined;

it('looks up and stores the rows of calls at the same time by one statement each', async () => {
  const { idsOf, statements } = memoryTable(['a']);
  expect(await Promise.all([idsOf(['a', 'b'], admitAll), idsOf(['c', 'a', 'c'], admitAll)])).toEqual([
    [1, expect.any(Number)],
    [expect.any(Number), 1, expect.any(Number)],
  ]);
  expect(statements.find).toEqual([3]);
  expect(statements.insert.map((texts) => texts.toSorted())).toEqual([['b', 'c']]);
});

it('admits a row that several calls lack for the first of them only', async () => {
  const { idsOf, statements } = memoryTable();
  const admitted: [string, number][] = [];
  const admit = (who: string) => async (n: number) => void admitted.push([who, n]);
  const [one, other] = await Promise.all([
    idsOf(['a', 'b'], admit('one')),
    idsOf(['b', 'c'], admit('other')),
  ]);
  expect(admitted).toEqual([
    ['one', 2],
    ['other', 1],
  ]);
  expect(one?.[1]).toBe(other?.[0]);
  expect(statements.insert.flat().toSorted()).toEqual(['a', 'b', 'c']);
});

it('stores a row for another call that lacks it if the first is not admitted', async () => {
  const { idsOf, statements } = memoryTable();
  const refuse = async () => {
    throw new Error('too many');
  };
  const [refused, other] = await Promise.allSettled([idsOf(['a'], refuse), idsOf(['a', 'b'], admitAll)]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'too many' } });
  expect(other).toMatchObject({ status: 'fulfilled', value: [expect.any(Number), expect.any(Number)] });
  expect(statements.insert.flat().toSorted()).toEqual(['a', 'b']);
});

it('looks up nothing that it has found before', async () => {
  const { idsOf, statements } = memoryTable(['a']);
  await idsOf(['a'], admitAll);
  await idsOf(['a'], admitAll);
  expect(statements.find).toEqual([1]);
});

it('stores a row again that was condemned after another process had stored it, and gives up after some tries', async () => {
  let [inserts, misses] = [0, 2];
  const rows = new RowIds<string>(
    {
      find: async () => [],
      async insert(missing) {
        inserts += 1;
        return misses-- > 0 ? [] : missing.map(({ digest }) => ({ digest, id: 7 }));
      },
    },
    createIdCache(),
  );
  expect(await rows.idsOf(['a'], ['a'], digestOf, admitAll)).toEqual([7]);
  expect(inserts).toBe(3);
  misses = Number.POSITIVE_INFINITY;
  await expect(rows.idsOf(['b'], ['b'], digestOf, admitAll)).rejects.toThrow('not found again');
});
