import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { EvidenceFile } from '@plimsoll/secrets';
import yazl from 'yazl';

/** Text that is gathered before it is compressed, in characters. */
const gathered = 64 * 1024;

/** A zip archive of texts that is read while it is written, one file after the other. */
export class EvidenceArchive {
  readonly #at: Date;
  readonly #zip = new yazl.ZipFile();
  readonly #output = this.#zip.outputStream as PassThrough; // As documented; its type leaves out `destroy`.
  /** The file that was begun last. */
  #file: ArchiveFile | null = null;

  /** @param at the time of all files. */
  constructor(at: Date) {
    this.#at = at;
    this.#zip.on('error', (error: Error) => this.fail(error));
    // Without it, a writer would wait for ever for an archive that nothing reads any more.
    this.#output.once('close', () => this.#file?.content.destroy(notRead()));
  }

  /** The archive. Ends after `end`, or with the error of `fail`. */
  get pieces(): AsyncIterable<Uint8Array> {
    return this.#output;
  }

  /** Begins a file. The one before must have ended. Throws if the archive is not read any more. */
  begin(name: string): ArchiveFile {
    if (this.#output.destroyed) throw notRead();
    const file = new ArchiveFile(name);
    this.#zip.addReadStream(file.content, name, { mtime: this.#at });
    this.#file = file;
    return file;
  }

  /** Writes a whole file; returns what a manifest says of it. */
  async add(name: string, texts: Iterable<string> | AsyncIterable<string>): Promise<EvidenceFile> {
    const file = this.begin(name);
    for await (const text of texts) await file.write(text);
    return file.end();
  }

  end(): void {
    this.#zip.end();
  }

  /** Breaks the archive off: it has no directory then, so that no program takes it for a whole one. */
  fail(error: Error): void {
    this.#output.destroy(error);
  }
}

function notRead(): Error {
  return new Error('the archive is not read any more');
}

/** A file of an archive while it is written. */
export class ArchiveFile {
  readonly content = new PassThrough();
  readonly #name: string;
  readonly #hash: Hash = createHash('sha256');
  #text: string[] = [];
  #waiting = 0;
  #bytes = 0;

  constructor(name: string) {
    this.#name = name;
    // The writer gets the error as well, from the call that waits.
    this.content.on('error', () => undefined);
  }

  /** Adds text, in UTF-8. Resolves when the archive takes more; rejects if it was broken off. */
  async write(text: string): Promise<void> {
    this.#text.push(text);
    this.#waiting += text.length;
    if (this.#waiting >= gathered) await this.#flush();
  }

  /** Ends the file; returns what a manifest says of it. */
  async end(): Promise<EvidenceFile> {
    await this.#flush();
    this.content.end();
    return { name: this.#name, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async #flush(): Promise<void> {
    const { errored } = this.content;
    if (errored !== null) throw errored;
    const bytes = Buffer.from(this.#text.join(''));
    this.#text = [];
    this.#waiting = 0;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    if (!this.content.write(bytes)) await once(this.content, 'drain');
  }
}
