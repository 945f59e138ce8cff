import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFamilies, packageManagers, versionSchemes } from '@plimsoll/model';

const root = path.resolve(__dirname, '..', '..');
const rooms = ['apps', 'packages', 'tools', 'lab', 'examples'];
const passedOver: ReadonlySet<string> = new Set(['node_modules', 'dist', 'generated', 'tests', 'testdata']);

/** The source files, relative to the root, sorted. */
export function sourceFiles(): readonly string[] {
  return rooms
    .flatMap((room) => filesBelow(room))
    .filter((file) => /\.(?:tsx?|[cm]js)$/.test(file))
    .sort();
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (passedOver.has(entry.name)) return [];
    const below = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(below) : [below];
  });
}

const words = [...new Set([...versionSchemes, ...packageFamilies, ...packageManagers])].join('|');
const word = `['"\`](?:${words})['"\`]`;

/** Code that depends on one of the names, or lists several of them, so that a new one would be missing. */
const uses = new RegExp(
  [
    `(?:[=!]==?|<>|\\bcase|\\bIN \\(|\\b(?:has|includes)\\()\\s*${word}`,
    `${word}\\s*[=!]==?`,
    `(?:os_family|osFamily|scheme|manager)"?\\s*=\\s*${word}`,
    `\\?\\s*${word}\\s*:\\s*${word}`,
    `${word}\\s*[|,]\\s*${word}`,
  ].join('|'),
  'g',
);

const comments = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*/g;

/** Places in source text, without its comments, that depend on a scheme, a family or a package manager. */
export function literalUsesIn(text: string): readonly string[] {
  return text.replace(comments, ' ').match(uses) ?? [];
}

/** Those places by source file; files without any are omitted. */
export function literalUses(): ReadonlyMap<string, readonly string[]> {
  const found = sourceFiles().map(
    (file) => [file, literalUsesIn(readFileSync(path.join(root, file), 'utf8'))] as const,
  );
  return new Map(found.filter(([, lines]) => lines.length > 0));
}
