import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The blocks of docs/operations.md for a shell, and which of them a test asked for. */
export interface OperationsPage {
  /** The languages of all blocks; empty for a block without one. */
  readonly languages: readonly string[];
  /** The one block whose text contains `part`, without its indentation. */
  block(part: string): string;
  /** The lines of the block that contains `part`; a line that ends in a backslash goes on. */
  lines(part: string): readonly string[];
  /** The blocks that nothing asked for. */
  unused(): readonly string[];
}

/** Reads the page. */
export function readOperationsPage(): OperationsPage {
  const page = readFileSync(path.resolve(__dirname, '../../docs/operations.md'), 'utf8');
  const blocks = [...page.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', text = '']) => ({
      language,
      text: text.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
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
