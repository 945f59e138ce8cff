import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');
const rowForm = /^(\d+)\t[^\t\n]+\t([^\t\n]+)$/gm;
/** The case numbers at the start of a title, one or several: `22. …, 24. …`. */
const titleForm = /['`]((?:\d{1,2}\.,? )+)|, (\d{1,2}\. )/g;

/** The cases of docs/matching-cases.tsv with their test files. */
function listedCases(): ReadonlyMap<number, readonly string[]> {
  const text = readFileSync(path.join(root, 'docs/matching-cases.tsv'), 'utf8');
  const rows = [...text.matchAll(rowForm)];
  return new Map(rows.map(([, number, files = '']) => [Number(number), files.trim().split(', ').sort()]));
}

/** Every test file of a package, in the document's notation. */
function testFiles(): readonly string[] {
  return readdirSync(path.join(root, 'packages')).flatMap((owner) => {
    const folder = path.join(root, 'packages', owner, 'tests');
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${owner}/${file.replace(/\.test\.ts$/, '')}`);
  });
}

/** The case numbers in the titles of all package tests, with their files in the document's notation. */
function namedCases(): ReadonlyMap<number, readonly string[]> {
  const named = new Map<number, string[]>();
  for (const place of testFiles()) {
    const [owner = '', ...rest] = place.split('/');
    const file = path.join(root, 'packages', owner, 'tests', `${rest.join('/')}.test.ts`);
    const titles = [...readFileSync(file, 'utf8').matchAll(titleForm)];
    const numbers = titles.flatMap(([title]) =>
      [...title.matchAll(/\d+/g)].map(([digits]) => Number(digits)),
    );
    for (const number of new Set(numbers)) named.set(number, [...(named.get(number) ?? []), place].sort());
  }
  return named;
}

describe('the numbered cases of matching', () => {
  it('are 1 to 32, each listed once with its files', () => {
    expect([...listedCases().keys()]).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
  });

  it('have tests whose titles begin with their number in exactly the files listed', () => {
    expect(Object.fromEntries(namedCases())).toEqual(Object.fromEntries(listedCases()));
  });
});
