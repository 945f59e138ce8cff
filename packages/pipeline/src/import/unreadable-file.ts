import type { FileToRead } from './files-to-import.ts';
import { ImportError } from './records/import-error.ts';

/** One of several files to import cannot be read; the others may be valid. */
export class UnreadableFile extends ImportError {
  readonly file: FileToRead;

  constructor(file: FileToRead, reason: ImportError) {
    super(reason.code, reason.message, { cause: reason });
    this.file = file;
  }
}
