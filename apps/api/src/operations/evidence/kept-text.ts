import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Characters that are compressed together: some milliseconds. */
const charactersPerPiece = 256 * 1024;

/** A long text that is kept compressed until it is read. */
export class KeptText {
  readonly #pieces: Buffer[] = [];
  #text: string[] = [];
  #waiting = 0;

  add(text: string): void {
    this.#text.push(text);
    this.#waiting += text.length;
    if (this.#waiting >= charactersPerPiece) this.#compress();
  }

  /** Everything that was added, in pieces. */
  *read(): Iterable<string> {
    for (const piece of this.#pieces) yield inflateRawSync(piece).toString();
    yield this.#text.join('');
  }

  #compress(): void {
    this.#pieces.push(deflateRawSync(this.#text.join('')));
    this.#text = [];
    this.#waiting = 0;
  }
}
