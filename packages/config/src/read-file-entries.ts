import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument, type YAMLMap } from 'yaml';
import type { ConfigMistake } from './config-error.ts';

/** One value of the file with its dotted key. */
export interface FileEntry {
  readonly key: string;
  readonly value: unknown;
  /** For messages: `plimsoll.yaml line 3`. */
  readonly source: string;
}

/** The contents of a configuration file. */
export interface FileContent {
  readonly entries: readonly FileEntry[];
  readonly mistakes: readonly ConfigMistake[];
}

interface Walk {
  readonly document: Document;
  readonly isSetting: (key: string) => boolean;
  readonly sourceAt: (offset: number | undefined) => string;
  readonly entries: FileEntry[];
  readonly mistakes: ConfigMistake[];
}

/**
 * Flattens a YAML file to dotted keys; groups (`api:` with `port:` below) and dotted keys (`api.port:`) are
 * equivalent. Text that is not YAML, or not a mapping, is a mistake with its line.
 */
export function readFileEntries(
  text: string,
  fileName: string,
  isSetting: (key: string) => boolean,
): FileContent {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const sourceAt = (offset: number | undefined): string =>
    offset === undefined ? fileName : `${fileName} line ${lines.linePos(offset).line}`;
  const walk: Walk = { document, isSetting, sourceAt, entries: [], mistakes: [] };

  for (const error of document.errors) {
    walk.mistakes.push({
      key: 'the file',
      source: sourceAt(error.pos[0]),
      message: `is not valid YAML: ${error.message}`,
    });
  }
  if (walk.mistakes.length > 0) return walk;

  if (isMap(document.contents)) collectEntries(walk, document.contents, '');
  else if (document.contents !== null && document.toJS() !== null) {
    walk.mistakes.push({ key: 'the file', source: fileName, message: 'must be a mapping of settings' });
  }
  return walk;
}

function collectEntries(walk: Walk, map: YAMLMap, prefix: string): void {
  for (const pair of map.items) {
    const { name, offset } = keyOf(pair);
    const key = prefix + name;
    const source = walk.sourceAt(offset);
    if (isMap(pair.value) && !walk.isSetting(key)) {
      collectEntries(walk, pair.value, `${key}.`);
    } else if (walk.entries.some((entry) => entry.key === key)) {
      walk.mistakes.push({ key, source, message: 'is set twice' });
    } else {
      walk.entries.push({ key, value: plainValue(walk.document, pair), source });
    }
  }
}

function keyOf(pair: Pair): { name: string; offset: number | undefined } {
  return isScalar(pair.key)
    ? { name: String(pair.key.value), offset: pair.key.range?.[0] }
    : { name: String(pair.key), offset: undefined };
}

function plainValue(document: Document, pair: Pair): unknown {
  const node = pair.value;
  // Pair.value has type unknown; every node of a parsed document has toJS.
  return node === null || node === undefined
    ? null
    : (node as { toJS(doc: Document): unknown }).toJS(document);
}
