import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const docs = path.resolve(__dirname, '../docs');

/** The rows of docs/threats.tsv below its heading: what, threat, answer, name of a test, its file. */
const rows = readFileSync(path.join(docs, 'threats.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

describe('the table of threats', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  it.each(rows)('%s: %s: has an answer, and a test that exists', (...cells) => {
    expect(cells).toHaveLength(5);
    expect(cells.filter((cell) => cell.trim() === '')).toEqual([]);
    const [, , , name, file = ''] = cells;
    expect(file).toMatch(/^[\w./-]+\.test\.ts$/);
    expect([file, existsSync(path.join(docs, '..', file))]).toEqual([file, true]);
    const text = readFileSync(path.join(docs, '..', file), 'utf8');
    expect(text.includes(`'${name}'`) || text.includes(`"${name}"`)).toBe(true);
  });

  it('has each test at most once', () => {
    const tests = rows.map((cells) => cells.slice(3).join(' '));
    expect(new Set(tests).size).toBe(tests.length);
  });
});
