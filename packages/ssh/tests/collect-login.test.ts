import { describeWhere } from '@plimsoll/testing';
import { type CollectRequest, collect, generateKeyPair } from '../src/index.ts';
import { atEase, missingForSshd, type Site, setUpSite } from './site.ts';

describeWhere(missingForSshd, 'a login that fails', () => {
  const sites: Site[] = [];
  afterAll(async () => {
    for (const site of sites) await site.stop();
  });
  async function siteWith(...settings: readonly string[]): Promise<Site> {
    const site = await setUpSite({ settings });
    sites.push(site);
    await site.allow(null);
    return site;
  }
  const failure = (message: RegExp) => ({
    kind: 'failed',
    code: 'auth_failed',
    mayHeal: false,
    message: expect.stringMatching(message),
    hostKey: expect.anything(),
    address: '127.0.0.1',
  });

  it.each([
    ['an unknown user', { user: 'no-such-user' }, /user "no-such-user" in with the key: .*authorized_keys/],
    ['a key that is not installed', { identities: [generateKeyPair()] }, /in with the key: /],
    [
      'two keys that are not installed',
      { identities: [generateKeyPair(), generateKeyPair()] },
      /any of its keys/,
    ],
    ['an odd name', { user: '-oProxyCommand=x "$(id)"' }, /"-oProxyCommand=x "\$\(id\)""/],
  ] satisfies [string, Partial<CollectRequest>, RegExp][])(
    'with %s is told apart',
    async (_what, changes, message) => {
      const site = sites[0] ?? (await siteWith());
      expect(await collect(site.request(changes), atEase())).toEqual(failure(message));
    },
  );

  it('because the server accepts no keys says so', async () => {
    const site = await siteWith('PubkeyAuthentication no', 'PasswordAuthentication yes');
    expect(await collect(site.request(), atEase())).toEqual(
      failure(/it offers password.*PubkeyAuthentication yes/),
    );
  });

  it('because a key is not enough says so', async () => {
    const site = await siteWith('PasswordAuthentication yes', 'AuthenticationMethods publickey,password');
    expect(await collect(site.request(), atEase())).toEqual(failure(/more than a key \(password\)/));
  });

  it('because the user is locked out says where to look', async () => {
    const site = await siteWith('AllowUsers nobody-else');
    expect(await collect(site.request(), atEase())).toEqual(failure(/AllowUsers/));
  });

  it('because of too many attempts has that code too', async () => {
    const site = await siteWith('MaxAuthTries 1');
    const identities = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
    expect(await collect(site.request({ identities }), atEase())).toEqual(failure(/any of its keys/));
  });

  it('a server that runs no commands is reported', async () => {
    const site = await siteWith('MaxSessions 0');
    expect(await collect(site.request(), atEase())).toMatchObject({
      kind: 'failed',
      code: 'command_failed',
      message: expect.stringMatching(/runs no command/),
    });
  });
});

describe('an invalid request', () => {
  const request = (): CollectRequest => ({
    addresses: [{ address: '192.0.2.1', family: 4 }],
    port: 22,
    user: 'plimsoll',
    identities: [generateKeyPair()],
    hostKey: { kind: 'unknown' },
    collector: {
      script: Buffer.from('x'),
      sha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
    },
    limits: { connectMs: 1, totalMs: 1, outputBytes: 1 },
  });

  it.each<[string, Partial<CollectRequest>]>([
    ['no address', { addresses: [] }],
    ['a name for an address', { addresses: [{ address: 'localhost', family: 4 }] }],
    ['an address of the other family', { addresses: [{ address: '::1', family: 4 }] }],
    ['no port', { port: 0 }],
    ['a user with a line break', { user: 'a\nb' }],
    ['no user', { user: '' }],
    ['no key', { identities: [] }],
    ['half a key', { identities: [{ publicKey: Buffer.alloc(32), seed: Buffer.alloc(31) }] }],
    [
      'a collector that is not the one its hash says',
      { collector: { ...request().collector, script: Buffer.from('y') } },
    ],
    ['a collector that no line reads', { collector: { sha256: '', script: Buffer.alloc(262_144) } }],
    ['a fingerprint that matches nothing', { hostKey: { kind: 'fingerprint', fingerprint: 'SHA256:x' } }],
  ])('is thrown: %s', async (_what, changes) => {
    await expect(collect({ ...request(), ...changes }, atEase())).rejects.toBeInstanceOf(RangeError);
  });
});
