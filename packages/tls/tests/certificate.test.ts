import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWhere } from '@plimsoll/testing';
import { readCertificate, TlsError } from '../src/index.ts';
import { type CertificateFolder, certificateFolder } from './certificate-files.ts';

const missing = spawnSync('openssl', ['version']).status === 0 ? [] : ['openssl'];

describeWhere(missing, 'reading a certificate', () => {
  let at: CertificateFolder;
  beforeAll(async () => {
    at = await certificateFolder();
  });
  afterAll(() => at.remove());

  const file = (name: string): string => path.join(at.folder, name);

  it('returns the names that it is valid for, and its end', async () => {
    const certificate = await readCertificate(await at.make('valid', { days: 30 }));
    expect(certificate.names).toEqual(['plimsoll.example', '127.0.0.1']);
    expect(certificate.issuer).toBe('CN=valid');
    const days = (certificate.notAfter.getTime() - certificate.notBefore.getTime()) / 86_400_000;
    expect(days).toBeCloseTo(30, 3);
    expect(certificate.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it('does not call a certificate of a private authority public', async () => {
    expect((await readCertificate(await at.make('own'))).isPublic).toBe(false);
  });

  it('refuses a key of another certificate', async () => {
    const { certFile } = await at.make('one');
    const { keyFile } = await at.make('other');
    await expect(readCertificate({ certFile, keyFile })).rejects.toThrow(
      new TlsError(`${keyFile} is not the key of the certificate in ${certFile}.`),
    );
  });

  it('reports a chain in which the authority comes before the server', async () => {
    const server = await at.make('server');
    const authority = await at.make('authority');
    writeFileSync(file('wrong.pem'), readFileSync(authority.certFile));
    appendFileSync(file('wrong.pem'), readFileSync(server.certFile));
    await expect(readCertificate({ certFile: file('wrong.pem'), keyFile: server.keyFile })).rejects.toThrow(
      "put the server's own before its authority's",
    );
  });

  it.each([['-aes256'], ['-traditional', '-aes256']])(
    'refuses a key with a passphrase (%s), and says how to remove it',
    async (...form) => {
      const { certFile, keyFile } = await at.make('locked');
      await at.openssl('pkey', '-in', keyFile, '-out', 'locked.pass', '-passout', 'pass:word', ...form);
      const reading = readCertificate({ certFile, keyFile: file('locked.pass') });
      await expect(reading).rejects.toThrow(/has a passphrase.*openssl pkey/);
    },
  );

  it.each([
    ['a certificate that is not there', 'nowhere.pem', 'valid.key', 'cannot be read: ENOENT'],
    ['a folder', '.', 'valid.key', 'cannot be read: EISDIR'],
    ['text that is no certificate', 'valid.key', 'valid.key', 'contains no certificate in PEM form'],
    ['text that is no key', 'valid.pem', 'valid.pem', 'contains no private key in PEM form'],
  ])('refuses %s', async (_, cert, key, words) => {
    const reading = readCertificate({ certFile: file(cert), keyFile: file(key) });
    await expect(reading).rejects.toThrow(words);
    await expect(reading).rejects.toBeInstanceOf(TlsError);
  });

  it('refuses a file of more than 1 MiB', async () => {
    const { keyFile } = await at.make('big');
    writeFileSync(file('big.pem'), '\n'.repeat(1024 * 1024 + 1));
    await expect(readCertificate({ certFile: file('big.pem'), keyFile })).rejects.toThrow('1 MiB');
  });
});
