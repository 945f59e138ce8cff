import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The blocks of docs/operations.md and of all pages in docs/operations for a shell, and which of them a test asked for. */
export interface OperationsPages {
  /** The languages of all blocks; empty for a block without one. */
  readonly languages: readonly string[];
  /** The one block whose text contains `part`, without its indentation. */
  block(part: string): string;
  /** The lines of the block that contains `part`; a line that ends in a backslash goes on. */
  lines(part: string): readonly string[];
  /** The blocks that nothing asked for. */
  unused(): readonly string[];
}

/** Reads the pages. A block never goes from one page into another. */
export function readOperationsPages(): OperationsPages {
  const docs = path.resolve(__dirname, '../../docs');
  const pages = readdirSync(path.join(docs, 'operations')).map((name) => path.join('operations', name));
  const blocks = ['operations.md', ...pages].flatMap((page) =>
    blocksOf(readFileSync(path.join(docs, page), 'utf8')),
  );
  const forShells = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  const unused = new Set(forShells);
  const block = (part: string): string => {
    const [found, ...others] = forShells.filter((text) => text.includes(part));
    if (found === undefined || others.length > 0) throw new Error(`not one block has ${part}`);
    unused.delete(found);
    return found;
  };
  return {
    languages: blocks.map(({ language }) => language),
    block,
    lines: (part) =>
      block(part)
        .trimEnd()
        .split(/(?<!\\)\n/),
    unused: () => [...unused],
  };
}

interface Block {
  readonly language: string;
  readonly text: string;
}

function blocksOf(page: string): readonly Block[] {
  const fences = page.match(/^ *```/gm) ?? [];
  const blocks = [...page.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', text = '']) => ({
      language,
      text: text.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
  if (fences.length !== 2 * blocks.length) throw new Error('a block of docs/operations has no end');
  return blocks;
}
