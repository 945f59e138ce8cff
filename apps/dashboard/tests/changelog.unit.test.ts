import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readChangelog } from '../src/pages/changes/changelog.ts';

it('reads versions, headings, bullets over several lines and paragraphs; of links and code the text', () => {
  const markdown =
    '# Changelog\n\nIntro.\n\n## 1.0.0\n\nFirst `line`\ngoes [on](docs/x.md).\n\n### Limits\n\n- **One**: a\n  b\n- Two\n';
  expect(readChangelog(markdown)).toEqual([
    { kind: 'version', runs: ['1.0.0'] },
    { kind: 'paragraph', runs: ['First line goes on.'] },
    { kind: 'heading', runs: ['Limits'] },
    { kind: 'bullet', runs: ['', 'One', ': a b'] },
    { kind: 'bullet', runs: ['Two'] },
  ]);
});

it('reads the changelog of the project whole', () => {
  const blocks = readChangelog(readFileSync(path.resolve(__dirname, '../../../CHANGELOG.md'), 'utf8'));
  expect(blocks[0]?.kind).toBe('version');
  expect(blocks.flatMap(({ runs }) => runs).join('')).not.toMatch(/^[-#]|\]\(|`/m);
});
