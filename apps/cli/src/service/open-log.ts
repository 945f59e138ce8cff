import { createStream } from 'rotating-file-stream';

/** A log file of at most 10 MB, kept in six parts: `api.log`, `api.log.1` … `api.log.5`. */
export interface Log {
  write(text: string): void;
  close(): Promise<void>;
}

/** Opens `<folder>/<name>.log` for appending. A failed write is reported once; the log then stops. */
export function openLog(folder: string, name: string, onProblem: (problem: string) => void): Log {
  const stream = createStream(`${name}.log`, { path: folder, size: '10M', rotate: 5, mode: 0o600 });
  let broken = false;
  const failed = (error: Error): void => {
    if (!broken) onProblem(`${name}.log in ${folder} cannot be written: ${error.message}`);
    broken = true;
  };
  stream.on('error', failed);
  stream.on('warning', failed);
  return {
    write(text) {
      if (!broken) stream.write(text);
    },
    close() {
      return new Promise((resolve) => {
        if (broken) resolve();
        else {
          stream.once('close', resolve);
          stream.once('error', () => resolve());
          stream.end();
        }
      });
    },
  };
}
