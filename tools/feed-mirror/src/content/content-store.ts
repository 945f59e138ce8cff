import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Stored content of a served file. */
export interface StoredContent {
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal, as indexes of repositories name them. */
  readonly sha256: string;
  readonly sha1: string;
}

/** The contents of a mirror's files, in one folder. */
export class ContentStore {
  private readonly folder: string;
  private stored = 0;

  /** @param folder exists; the caller removes it. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Stores the pieces of a content in their order. */
  keep(pieces: Iterable<Buffer | string>): StoredContent {
    const target = path.join(this.folder, String(this.stored++));
    const file = openSync(target, 'wx');
    const sha256 = createHash('sha256');
    const sha1 = createHash('sha1');
    let bytes = 0;
    try {
      for (const piece of pieces) {
        const buffer = typeof piece === 'string' ? Buffer.from(piece) : piece;
        writeSync(file, buffer);
        sha256.update(buffer);
        sha1.update(buffer);
        bytes += buffer.length;
      }
    } finally {
      closeSync(file);
    }
    return { path: target, bytes, sha256: sha256.digest('hex'), sha1: sha1.digest('hex') };
  }
}
