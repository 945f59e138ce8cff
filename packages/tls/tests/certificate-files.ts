import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CertificateFiles } from '../src/index.ts';

/** A folder of certificates made by openssl. */
export interface CertificateFolder {
  readonly folder: string;
  /** Makes a self-signed certificate with its key, `<name>.pem` and `<name>.key`. */
  make(
    name: string,
    options?: { readonly days?: number; readonly names?: string },
  ): Promise<CertificateFiles>;
  /** Runs an openssl command in the folder. */
  openssl(...args: readonly string[]): Promise<void>;
  remove(): Promise<void>;
}

/** Makes an empty folder. */
export async function certificateFolder(): Promise<CertificateFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-tls-'));
  const openssl = async (...args: readonly string[]): Promise<void> => {
    await promisify(execFile)('openssl', [...args], { cwd: folder });
  };
  return {
    folder,
    openssl,
    async make(name, { days = 30, names = 'DNS:plimsoll.example,IP:127.0.0.1' } = {}) {
      const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
      const output = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
      const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`];
      await openssl('req', '-x509', ...algorithm, ...output, '-days', String(days), ...subject);
      return { certFile: path.join(folder, `${name}.pem`), keyFile: path.join(folder, `${name}.key`) };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
