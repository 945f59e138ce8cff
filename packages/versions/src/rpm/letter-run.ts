/** Whether a character code is an ASCII letter; rpm knows no others. */
export function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** Index after the ASCII letters that start at `start`; `start` if there are none. */
export function letterRunEnd(text: string, start: number, end = text.length): number {
  let at = start;
  while (at < end && isLetter(text.charCodeAt(at))) at++;
  return at;
}
