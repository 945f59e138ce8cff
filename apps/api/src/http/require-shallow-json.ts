import { AppError } from '@plimsoll/model';

/** Real documents have fewer than 20 levels. Code that walks a value, and the copy for a thread, call themselves for each. */
const mostLevels = 64;

/** Throws `invalid_json` for JSON whose arrays and objects are nested more than 64 levels deep. Checks nothing else. */
export function requireShallowJson(json: Uint8Array): void {
  let levels = 0;
  let isText = false;
  for (let n = 0; n < json.length; n += 1) {
    const byte = json[n];
    if (byte === quote) isText = !isText;
    else if (isText)
      n += byte === backslash ? 1 : 0; // The next one is escaped.
    else if (byte === openBrace || byte === openBracket) levels += 1;
    else if (byte === closeBrace || byte === closeBracket) levels -= 1;
    if (levels > mostLevels)
      throw new AppError('invalid_json', `The body is nested more than ${mostLevels} levels deep.`);
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
