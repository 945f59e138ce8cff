import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWhere, waitFor } from '@plimsoll/testing';
import {
  type Certificate,
  type CertificateFiles,
  type CertificateWatch,
  readCertificate,
  watchCertificate,
} from '../src/index.ts';
import { type CertificateFolder, certificateFolder } from './certificate-files.ts';

const missing = spawnSync('openssl', ['version']).status === 0 ? [] : ['openssl'];

describeWhere(missing, 'watching a certificate', () => {
  let at: CertificateFolder;
  let watched: CertificateWatch | undefined;
  let changes: Certificate[] = [];
  let errors: string[] = [];

  beforeEach(async () => {
    at = await certificateFolder();
    changes = [];
    errors = [];
  });
  afterEach(async () => {
    await watched?.stop();
    await at.remove();
  });

  async function startWatching(files: CertificateFiles): Promise<void> {
    watched = watchCertificate({
      files,
      current: await readCertificate(files),
      onChange: (certificate) => void changes.push(certificate),
      onError: ({ message }) => void errors.push(message),
      settleMs: 50,
      pollMs: 1_000_000,
    });
    await watched.reload();
  }

  it('reports a replaced pair once', async () => {
    const files = await at.make('used');
    await startWatching(files);
    const next = await at.make('next', { names: 'DNS:next.example' });
    renameSync(next.keyFile, files.keyFile);
    renameSync(next.certFile, files.certFile);
    await waitFor('the new pair', () => changes.length > 0);
    await watched?.reload();
    expect(changes.map(({ names }) => names)).toEqual([['next.example']]);
    expect(watched?.failure()).toBeNull();
  });

  it('follows a symbolic link to its new target, as certbot and Kubernetes renew', async () => {
    const live = path.join(at.folder, 'live');
    mkdirSync(live);
    const old = await at.make('archived-1');
    const renewed = await at.make('archived-2', { names: 'DNS:renewed.example' });
    const files = { certFile: path.join(live, 'fullchain.pem'), keyFile: path.join(live, 'privkey.pem') };
    symlinkSync(old.certFile, files.certFile);
    symlinkSync(old.keyFile, files.keyFile);
    await startWatching(files);
    for (const [target, link] of [
      [renewed.certFile, files.certFile],
      [renewed.keyFile, files.keyFile],
    ] as const) {
      symlinkSync(target, `${link}.new`);
      renameSync(`${link}.new`, link);
    }
    await waitFor('the renewed pair', () => changes.length > 0);
    expect(changes.at(-1)?.names).toEqual(['renewed.example']);
  });

  it('reports unusable files once, and continues with the next good ones', async () => {
    const files = await at.make('kept');
    copyFileSync(files.certFile, path.join(at.folder, 'first'));
    await startWatching(files);
    writeFileSync(files.certFile, 'cut off');
    await watched?.reload();
    await watched?.reload();
    expect(errors).toEqual([expect.stringContaining('contains no certificate')]);
    expect(watched?.failure()?.message).toBe(errors[0]);
    copyFileSync(path.join(at.folder, 'first'), files.certFile);
    await watched?.reload();
    expect(watched?.failure()).toBeNull();
    expect(changes).toEqual([]);
  });
});
