import {
  createSshdHostKey,
  currentLogin,
  describeWhere,
  type SshdHostKey,
  startSshd,
  waitFor,
} from '@plimsoll/testing';
import {
  type CollectResult,
  collect,
  type ExpectedHostKey,
  generateKeyPair,
  openSshPublicKey,
} from '../src/index.ts';
import { atEase, missingForSshd, ordinary } from './site.ts';

describeWhere(missingForSshd, 'host keys', () => {
  const pair = generateKeyPair();
  let ed25519: SshdHostKey;
  let otherEd25519: SshdHostKey;
  let rsa: SshdHostKey;
  let ecdsa: SshdHostKey;

  beforeAll(async () => {
    [ed25519, otherEd25519, rsa, ecdsa] = await Promise.all([
      createSshdHostKey('ed25519'),
      createSshdHostKey('ed25519'),
      createSshdHostKey('rsa-2048'),
      createSshdHostKey('ecdsa-384'),
    ]);
  });

  const pinned = (
    type: 'ssh-ed25519' | 'ssh-rsa' | 'ecdsa-sha2-nistp384',
    key: SshdHostKey,
  ): ExpectedHostKey => ({
    kind: 'pinned',
    type,
    fingerprint: key.fingerprint,
  });

  /** Pulls from a server with these keys, and returns whether a login was attempted. */
  async function pull(
    hostKeys: readonly SshdHostKey[],
    hostKey: ExpectedHostKey,
    settings: readonly string[] = [],
  ): Promise<{ result: CollectResult; askedToLogIn: boolean }> {
    const sshd = await startSshd({ hostKeys, logLevel: 'DEBUG3', settings });
    try {
      await sshd.setAuthorizedKeys(`${openSshPublicKey(pair.publicKey, '')}\n`);
      const request = { ...ordinary(sshd.port, currentLogin().user, pair), hostKey };
      const result = await collect(request, atEase());
      await waitFor('the server to be done', async () => (await sshd.sessions()).length === 0);
      // Stopped first, so that the log is complete. 5 requests a service, 50 is a login (RFC 4250).
      await sshd.stop();
      expect(sshd.log()).toMatch(/receive packet: type 20 /);
      return { result, askedToLogIn: /receive packet: type (5|50) /.test(sshd.log()) };
    } finally {
      await sshd.stop();
    }
  }

  it('an unknown key is returned', async () => {
    const { result, askedToLogIn } = await pull([rsa, ed25519], { kind: 'unknown' });
    expect(result).toMatchObject({
      kind: 'collected',
      hostKey: { type: 'ssh-ed25519', fingerprint: ed25519.fingerprint },
    });
    expect(askedToLogIn).toBe(true);
  });

  it('a changed key fails before anything is offered, and is returned', async () => {
    const { result, askedToLogIn } = await pull([otherEd25519], pinned('ssh-ed25519', ed25519));
    expect(result).toMatchObject({
      kind: 'failed',
      code: 'host_key_mismatch',
      mayHeal: false,
      message: expect.stringContaining(otherEd25519.fingerprint),
      hostKey: { type: 'ssh-ed25519', fingerprint: otherEd25519.fingerprint },
    });
    expect(askedToLogIn).toBe(false);
  });

  it('a server with an additional key type causes no alarm', async () => {
    const { result } = await pull([ed25519, ecdsa, rsa], pinned('ssh-rsa', rsa));
    expect(result).toMatchObject({
      kind: 'collected',
      hostKey: { type: 'ssh-rsa', fingerprint: rsa.fingerprint },
    });
  });

  it('a server without the pinned type causes an alarm, and its other key is returned', async () => {
    const { result, askedToLogIn } = await pull([ecdsa], pinned('ssh-ed25519', ed25519));
    expect(result).toMatchObject({
      kind: 'failed',
      code: 'host_key_mismatch',
      hostKey: { type: 'ecdsa-sha2-nistp384', fingerprint: ecdsa.fingerprint },
    });
    expect(askedToLogIn).toBe(false);
  });

  it.each([
    ['ssh-ed25519', () => ed25519],
    ['ecdsa-sha2-nistp384', () => ecdsa],
    ['ssh-rsa', () => rsa],
  ])('a fingerprint without a type finds the %s key', async (type, key) => {
    const { result } = await pull([ed25519, ecdsa, rsa], {
      kind: 'fingerprint',
      fingerprint: key().fingerprint,
    });
    expect(result).toMatchObject({ kind: 'collected', hostKey: { type, fingerprint: key().fingerprint } });
  });

  it('a fingerprint that no key has fails before anything is offered', async () => {
    const { result, askedToLogIn } = await pull([ed25519, rsa], {
      kind: 'fingerprint',
      fingerprint: ecdsa.fingerprint,
    });
    expect(result).toMatchObject({
      kind: 'failed',
      code: 'host_key_mismatch',
      hostKey: { type: 'ssh-ed25519', fingerprint: ed25519.fingerprint },
    });
    expect(askedToLogIn).toBe(false);
  });

  it('an RSA key signs with SHA-2, never with SHA-1', async () => {
    const algorithms = 'HostKeyAlgorithms';
    expect((await pull([rsa], { kind: 'unknown' }, [`${algorithms} rsa-sha2-256`])).result.kind).toBe(
      'collected',
    );
    expect((await pull([rsa], { kind: 'unknown' }, [`${algorithms} ssh-rsa`])).result).toMatchObject({
      kind: 'failed',
      code: 'connect_refused',
      mayHeal: false,
      message: expect.stringMatching(/HostKeyAlgorithms/),
    });
  });

  it('the key is returned although the login fails', async () => {
    const { result } = await pull([ed25519], pinned('ssh-ed25519', ed25519), ['PubkeyAuthentication no']);
    expect(result).toMatchObject({
      kind: 'failed',
      code: 'auth_failed',
      hostKey: { type: 'ssh-ed25519', fingerprint: ed25519.fingerprint },
    });
  });

  it.each([
    ['KexAlgorithms diffie-hellman-group14-sha1', 'KexAlgorithms'],
    ['Ciphers aes128-cbc', 'Ciphers'],
    ['Ciphers aes256-ctr\nMACs hmac-sha1', 'MACs'],
  ])('a server with nothing better than "%s" is told what to set', async (setting, name) => {
    const { result } = await pull([ed25519], { kind: 'unknown' }, [setting]);
    expect(result).toMatchObject({
      kind: 'failed',
      code: 'connect_refused',
      mayHeal: false,
      message: expect.stringContaining(name),
    });
  });

  it.each([
    'KexAlgorithms curve25519-sha256',
    'KexAlgorithms ecdh-sha2-nistp521',
    'KexAlgorithms diffie-hellman-group16-sha512',
    'KexAlgorithms diffie-hellman-group14-sha256',
    'Ciphers chacha20-poly1305@openssh.com',
    'Ciphers aes128-gcm@openssh.com',
    'Ciphers aes256-ctr\nMACs hmac-sha2-512-etm@openssh.com',
    'Ciphers aes128-ctr\nMACs hmac-sha2-256',
  ])('a server with nothing but "%s" is pulled from', async (setting) => {
    expect((await pull([ed25519], { kind: 'unknown' }, [setting])).result.kind).toBe('collected');
  });
});
