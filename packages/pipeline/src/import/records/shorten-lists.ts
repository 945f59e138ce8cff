import { endOfString } from './json-bounds.ts';

/** For a shorter text the search costs more than it saves. */
const worthwhileBytes = 4 * 1024;
const code = (character: string) => character.charCodeAt(0);
const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** A list that makes up most of a large record, while readers only use the elements that are kept. */
interface LongList {
  readonly member: Buffer;
  /** The start of its first element, without whitespace; lists that start differently are not shortened. */
  readonly begins: string;
  /** Whether to keep its first element: readers distinguish an empty list from others. */
  readonly keepsFirst: boolean;
}

const longLists: readonly LongList[] = [
  // Canonical's form. SUSE's has {"name": "version"}, which readers use.
  { member: Buffer.from('"binaries"'), begins: '{"binary_name"', keepsFirst: false },
  // Each version that the ranges cover.
  { member: Buffer.from('"versions"'), begins: '"', keepsFirst: true },
];

/**
 * Shortens the long lists of an OSV record; they make up four fifths of Ubuntu's kernel records. Overwrites
 * `json`, which must not be used afterwards. Keeps everything that is not a flat list of strings or objects.
 * Does not check whether the omitted elements are valid JSON.
 */
export function shortenLists(json: Buffer): Buffer {
  if (json.length < worthwhileBytes) return json;
  const next = longLists.map(({ member }) => json.indexOf(member));
  let written = 0;
  let read = 0;
  for (;;) {
    const which = indexOfLeast(next);
    const list = longLists[which];
    const at = next[which] ?? -1;
    if (list === undefined || at === -1) break;
    const gap = omittable(json, at, list);
    if (gap !== null) {
      json.copyWithin(written, read, gap.start);
      written += gap.start - read;
      read = gap.end;
    }
    const from = gap?.end ?? at + list.member.length;
    for (const [index, { member }] of longLists.entries()) {
      const position = next[index] ?? -1;
      if (position !== -1 && position < from) next[index] = json.indexOf(member, from);
    }
  }
  if (read === 0) return json;
  json.copyWithin(written, read);
  return json.subarray(0, written + json.length - read);
}

/** The index of the lowest position that is not -1; -1 if there is none. */
function indexOfLeast(positions: readonly number[]): number {
  let least = -1;
  for (const [index, position] of positions.entries())
    if (position !== -1 && (least === -1 || position < (positions[least] ?? 0))) least = index;
  return least;
}

/** The part of a list to omit; null if the list must stay. @param at index of the member's name. */
function omittable(
  json: Buffer,
  at: number,
  { member, begins, keepsFirst }: LongList,
): { readonly start: number; readonly end: number } | null {
  const colon = skipSpace(json, at + member.length);
  const bracket = skipSpace(json, colon + 1);
  if (json[colon] !== code(':') || json[bracket] !== code('[')) return null;
  const start = startOf(json, bracket + 1, begins);
  if (start === null) return null;
  const end = endOfFlatList(json, start);
  if (end === null) return null;
  const kept = keepsFirst ? endOfString(json, start) + 1 : bracket + 1;
  return kept <= end ? { start: kept, end } : null;
}

/** The index at which the given text starts after whitespace; null if another text follows. */
function startOf(json: Buffer, from: number, text: string): number | null {
  const start = skipSpace(json, from);
  let at = start;
  for (const character of text) {
    at = skipSpace(json, at);
    if (json[at] !== code(character)) return null;
    at++;
  }
  return start;
}

/**
 * The index of the bracket that ends a list without nested lists; null if it has a nested list or does not
 * end.
 */
function endOfFlatList(json: Buffer, from: number): number | null {
  for (let at = from; at < json.length; at++) {
    const byte = json[at];
    if (byte === code('"')) at = endOfString(json, at);
    else if (byte === code(']')) return at;
    else if (byte === code('[')) return null;
  }
  return null;
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (isSpace(json[at])) at++;
  return at;
}
