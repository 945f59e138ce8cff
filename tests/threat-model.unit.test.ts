import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const docs = path.resolve(__dirname, '../docs');
const page = readFileSync(path.join(docs, 'threat-model.md'), 'utf8');

/** The rows of the table of threats: its cells, without the pipes. */
const rows =
  (page.split('## Threats, answers, and the tests that prove them')[1] ?? '')
    .split('\n## ', 1)[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | ')) ?? [];

describe('the table of threats', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  it.each(rows)('%s: %s: has an answer, and a test that exists', (...cells) => {
    expect(cells).toHaveLength(4);
    expect(cells.filter((cell) => cell.trim() === '')).toEqual([]);
    const [, name = '', file = ''] =
      /^\[([^\]]+)\]\(\.\.\/([\w./-]+\.test\.ts)\)$/.exec(cells[3] ?? '') ?? [];
    expect([file, existsSync(path.join(docs, '..', file))]).toEqual([expect.stringMatching(/./), true]);
    const text = readFileSync(path.join(docs, '..', file), 'utf8');
    expect(text.includes(`'${name}'`) || text.includes(`"${name}"`)).toBe(true);
  });

  it('has each test at most once', () => {
    const tests = rows.map((cells) => cells[3]);
    expect(new Set(tests).size).toBe(tests.length);
  });
});
