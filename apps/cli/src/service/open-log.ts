import { createStream, type RotatingFileStream } from 'rotating-file-stream';

/** A log file of at most 10 MB, kept in six parts: `api.log`, `api.log.1` … `api.log.5`. */
export interface Log {
  write(text: string): void;
  close(): Promise<void>;
}

/** Time between two attempts to open a file that could not be written. */
const retryMs = 5_000;

/**
 * Opens `<folder>/<name>.log` for appending. While it cannot be written, text is lost: this is reported once, and noted
 * in the file when it is written again.
 */
export function openLog(folder: string, name: string, onProblem: (problem: string) => void): Log {
  let brokenSince: string | null = null;
  let retryAt = 0;
  let current = open();

  function open(): RotatingFileStream | null {
    const stream = createStream(`${name}.log`, { path: folder, size: '10M', rotate: 5, mode: 0o600 });
    const failed = (error: Error): void => {
      if (stream !== current) return;
      current = null;
      retryAt = performance.now() + retryMs;
      if (brokenSince === null)
        onProblem(`${name}.log in ${folder} cannot be written until this is mended: ${error.message}`);
      brokenSince ??= new Date().toISOString();
      stream.destroy();
    };
    stream.on('error', failed);
    stream.on('warning', failed);
    return stream;
  }

  function reopen(): void {
    current = open();
    const note = { time: new Date().toISOString(), msg: 'output was lost', since: brokenSince };
    current?.write(`${JSON.stringify(note)}\n`, (error) => {
      if (error == null) brokenSince = null;
    });
  }

  return {
    write(text) {
      if (current === null && performance.now() >= retryAt) reopen();
      current?.write(text);
    },
    close() {
      return new Promise((resolve) => {
        if (current === null) {
          resolve();
          return;
        }
        current.once('close', resolve);
        current.end();
      });
    },
  };
}
