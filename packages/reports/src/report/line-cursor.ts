/**
 * Walks text line by line, linear and without copying more than one line at a time. `\n` and `\r\n` end a line; a last
 * line without an end counts, an empty one behind the last end does not.
 */
export class LineCursor {
  /** The line read last, without its end. */
  line = '';
  /** Its number, from 1; 0 before the first. */
  number = 0;
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Reads the next line into `line`; false behind the last one. */
  next(): boolean {
    const { text, position } = this;
    if (position >= text.length) return false;
    const end = text.indexOf('\n', position);
    const stop = end < 0 ? text.length : end;
    this.line = text.slice(position, stop > position && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    this.position = stop + 1;
    this.number++;
    return true;
  }
}
