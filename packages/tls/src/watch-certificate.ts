import { type FSWatcher, watch } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Certificate, type CertificateFiles, readCertificate } from './certificate.ts';
import { TlsError } from './tls-error.ts';

/** What to watch, and the callbacks. */
export interface CertificateWatchOptions {
  readonly files: CertificateFiles;
  /** The pair in use: `onChange` is called only for another one. */
  readonly current: Certificate;
  readonly onChange: (certificate: Certificate) => void;
  /** Called once for each new reason; a usable pair resets it. */
  readonly onError: (error: TlsError) => void;
  /** Milliseconds without a change before the files are read; usually both are replaced within that time. */
  readonly settleMs?: number;
  /** Milliseconds between two readings without a change event: network file systems send none. */
  readonly pollMs?: number;
}

/** A running watch. */
export interface CertificateWatch {
  /** Reads the files now. Never rejects. */
  reload(): Promise<void>;
  /** Why the files cannot be used now; null if they can. */
  failure(): TlsError | null;
  /** Stops the watch; no callback is called after it resolves. */
  stop(): Promise<void>;
}

/**
 * Reads the files again when something changes in their folders, and every minute. It watches the folders because
 * renewal replaces a file or a symbolic link (certbot, cert-manager): a watch on the file itself would stay on the old
 * one.
 */
export function watchCertificate(options: CertificateWatchOptions): CertificateWatch {
  const { files, settleMs = 500, pollMs = 60_000 } = options;
  let digest = options.current.digest;
  let failure: TlsError | null = null;
  let stopped = false;
  let settling: NodeJS.Timeout | undefined;
  let reading: Promise<void> = Promise.resolve();

  const read = async (): Promise<void> => {
    try {
      const certificate = await readCertificate(files);
      if (stopped) return;
      failure = null;
      if (certificate.digest === digest) return;
      digest = certificate.digest;
      options.onChange(certificate);
    } catch (error) {
      if (stopped) return;
      const found = error instanceof TlsError ? error : new TlsError(String(error), { cause: error });
      const isNew = found.message !== failure?.message;
      failure = found;
      if (isNew) options.onError(found);
    }
  };
  const reload = (): Promise<void> => {
    reading = reading.then(read);
    return reading;
  };
  const settle = (): void => {
    clearTimeout(settling);
    settling = setTimeout(reload, settleMs);
    settling.unref();
  };
  const watching = watchFolders(files, settle);
  const poll = setInterval(reload, pollMs);
  poll.unref();
  return {
    reload,
    failure: () => failure,
    async stop() {
      stopped = true;
      clearTimeout(settling);
      clearInterval(poll);
      for (const watcher of await watching) watcher.close();
      await reading;
    },
  };
}

/** Watches the folders of the paths and of their link targets. A folder that cannot be watched is left to the poll. */
async function watchFolders(
  { certFile, keyFile }: CertificateFiles,
  onEvent: () => void,
): Promise<readonly FSWatcher[]> {
  const real = await Promise.all([certFile, keyFile].map((file) => realpath(file).catch(() => file)));
  const folders = new Set([certFile, keyFile, ...real].map((file) => path.dirname(file)));
  return [...folders].flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, onEvent);
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
}
