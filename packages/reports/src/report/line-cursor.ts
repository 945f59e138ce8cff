/**
 * Iterates over the lines of a text in linear time, copying one line at a time. `\n` and `\r\n` end a line; a last
 * line without an end counts, an empty one after the last end does not.
 */
export class LineCursor {
  /** The current line, without its end. */
  line = '';
  /** The current line's number, from 1; 0 before the first. */
  number = 0;
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Reads the next line into `line`; false after the last one. */
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
