const quote = 0x22;
const backslash = 0x5c;

/** The structure of a JSON text, counted without parsing it. */
export interface JsonBounds {
  /** The deepest nesting of brackets. */
  readonly depth: number;
  /** The number of brackets, commas and colons outside of strings. */
  readonly marks: number;
}

/** By byte: 1 opens a bracket, 2 closes one, 3 separates values, 4 begins a string; 0 for all others. */
const kinds = new Uint8Array(256);
for (const [kind, marks] of ['', '[{', ']}', ',:', '"'].entries())
  for (const mark of marks) kinds[mark.charCodeAt(0)] = kind;

/**
 * Measures a JSON text in UTF-8, which may be invalid. Linear and faster than parsing; parsing a hostile text
 * could need more memory than there is.
 */
export function boundsOf(json: Uint8Array): JsonBounds {
  let depth = 0;
  let deepest = 0;
  let marks = 0;
  for (let at = 0; at < json.length; at++) {
    const kind = kinds[json[at] as number]; // Within the bounds of the loop.
    if (kind === 0) continue;
    if (kind === 4) {
      at = endOfString(json, at);
      continue;
    }
    marks++;
    if (kind === 1) {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (kind === 2) depth--;
  }
  return { depth: deepest, marks };
}

/**
 * The index of the quote that ends the string starting at `start`; at least the text's length if there is
 * none.
 */
export function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return at;
}
