const PUNCTUATION = '+-.:_';
const FIRST_LETTER = 0xc2;

/**
 * Key byte of a non-digit character of a Debian version, in dpkg's order: `~`, then (end 02 and numbers 03 to C1),
 * letters, punctuation. 0 for digits and for characters that are invalid in a version.
 */
export function dpkgCharacterCode(code: number): number {
  return code < CODES.length ? (CODES[code] ?? 0) : 0;
}

const CODES = codes();

function codes(): Uint8Array {
  const table = new Uint8Array(128);
  table[0x7e] = 0x01;
  for (let letter = 0; letter < 26; letter++) {
    table[0x41 + letter] = FIRST_LETTER + letter;
    table[0x61 + letter] = FIRST_LETTER + 26 + letter;
  }
  for (let index = 0; index < PUNCTUATION.length; index++) {
    table[PUNCTUATION.charCodeAt(index)] = FIRST_LETTER + 52 + index;
  }
  return table;
}
