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
  private count = 0;

  /** @param folder exists; the caller removes it. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Stores the pieces of a content in their order. */
  keep(pieces: Iterable<Buffer | string>): StoredContent {
    const file = this.create();
    try {
      for (const piece of pieces) file.write(piece);
    } finally {
      file.close();
    }
    return file.stored();
  }

  /** As `keep`, for pieces that arrive one by one. */
  async keepArriving(pieces: AsyncIterable<Buffer>): Promise<StoredContent> {
    const file = this.create();
    try {
      for await (const piece of pieces) file.write(piece);
    } finally {
      file.close();
    }
    return file.stored();
  }

  private create(): ContentFile {
    return new ContentFile(path.join(this.folder, String(this.count++)));
  }
}

/** The file of a content while it is written. */
class ContentFile {
  private readonly path: string;
  private readonly file: number;
  private readonly sha256 = createHash('sha256');
  private readonly sha1 = createHash('sha1');
  private bytes = 0;

  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, 'wx');
  }

  write(piece: Buffer | string): void {
    const buffer = typeof piece === 'string' ? Buffer.from(piece) : piece;
    writeSync(this.file, buffer);
    this.sha256.update(buffer);
    this.sha1.update(buffer);
    this.bytes += buffer.length;
  }

  close(): void {
    closeSync(this.file);
  }

  stored(): StoredContent {
    const { path, bytes, sha256, sha1 } = this;
    return { path, bytes, sha256: sha256.digest('hex'), sha1: sha1.digest('hex') };
  }
}
