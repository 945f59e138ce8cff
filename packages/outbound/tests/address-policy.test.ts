import { AddressError, createFeedAddressPolicy, createSshAddressPolicy } from '../src/index.ts';

const publicPolicy = (...allowedNetworks: string[]) => createFeedAddressPolicy(allowedNetworks);
const fleetPolicy = (...allowedNetworks: string[]) => createSshAddressPolicy(allowedNetworks);

/** A policy for hosts whose name has these addresses. */
function fleetNaming(...addresses: string[]) {
  const lookup = async () => addresses.map((address) => ({ address }));
  return createSshAddressPolicy([], { lookup });
}

describe('which addresses are allowed', () => {
  it.each([
    // address, on the internet, in a fleet
    ['8.8.8.8', true, true],
    ['2606:4700:4700::1111', true, true],
    ['10.1.2.3', false, true],
    ['172.16.0.1', false, true],
    ['192.168.1.1', false, true],
    ['100.64.0.1', false, true],
    ['fd12:3456::1', false, true],
    ['192.0.2.1', false, true],
    ['198.18.0.1', false, true],
    ['240.0.0.1', false, true],
    ['2001:db8::1', false, true],
    // this machine
    ['127.0.0.1', false, false],
    ['127.8.8.8', false, false],
    ['0.0.0.0', false, false],
    ['0.1.2.3', false, false],
    ['::1', false, false],
    ['::', false, false],
    // link-local, with a zone too
    ['169.254.0.1', false, false],
    ['169.254.169.254', false, false],
    ['fe80::1', false, false],
    ['febf::1', false, false],
    ['fe80::1%eth0', false, false],
    ['fe80::a9fe:a9fe%br-lan.100', false, false],
    // many machines
    ['224.0.0.1', false, false],
    ['255.255.255.255', false, false],
    ['ff02::1', false, false],
    // services of clouds
    ['168.63.129.16', true, false],
    ['100.100.100.200', false, false],
    ['192.0.0.192', false, false],
    ['fd00:ec2::254', false, false],
    ['fd00:ec2::23', false, false],
    ['fd20:ce::254', false, false],
    ['fd00:c1::a9fe:a9fe', false, false],
    ['fd00:42::42', false, false],
    ['fd00:a9fe:a9fe::1', false, false],
    ['fd00:100::100:200', false, false],
    // IPv4 in IPv6: mapped, with a zone, compatible, translated, 6to4, NAT64, Teredo (client, server), ISATAP
    ['::ffff:8.8.8.8', true, true],
    ['::ffff:10.0.0.1', false, true],
    ['::ffff:127.0.0.1', false, false],
    ['::ffff:7f00:1', false, false],
    ['::ffff:169.254.169.254%eth0', false, false],
    ['::127.0.0.1', false, false],
    ['::10.0.0.1', false, true],
    ['::ffff:0:127.0.0.1', false, false],
    ['::ffff:0:10.0.0.1', false, true],
    ['2002:7f00:1::', false, false],
    ['2002:a9fe:a9fe::1', false, false],
    ['2002:a00:1::1', false, true],
    ['64:ff9b::7f00:1', false, false],
    ['64:ff9b::169.254.169.254', false, false],
    ['64:ff9b::10.0.0.1', false, true],
    ['64:ff9b:1::10.0.0.1', false, false],
    ['2001:0:808:808::f5ff:fffe', false, true],
    ['2001:0:808:808::80ff:fffe', false, false],
    ['2001:0:7f00:1::f5ff:fffe', false, false],
    ['2606:4700::5efe:7f00:1', false, false],
    ['2606:4700::200:5efe:169.254.169.254', false, false],
    ['2606:4700::5efe:8.8.8.8', true, true],
    ['2606:4700::9:5efe:7f00:1', true, true],
    // not addresses
    ['not an address', false, false],
    ['', false, false],
    ['%eth0', false, false],
    ['1.2.3.4.5', false, false],
  ])('says of %s, from the internet: %s, in a fleet: %s', (address, onInternet, inFleet) => {
    expect([publicPolicy().allows(address), fleetPolicy().allows(address)]).toEqual([onInternet, inFleet]);
  });

  it('allows addresses in an allowed network only', () => {
    const policy = publicPolicy('10.0.0.0/8', 'fd00::/8', '127.0.0.1', '192.168.64.0/18');
    const allowed = ['10.255.0.1', '::ffff:10.0.0.1', 'fd12::1', '127.0.0.1', '192.168.127.255'];
    expect(allowed.filter((address) => !policy.allows(address))).toEqual([]);
    const refused = ['172.16.0.1', '127.0.0.2', 'fe80::1', 'fc00::1', '192.168.63.255', '192.168.128.0'];
    expect(refused.filter((address) => policy.allows(address))).toEqual([]);
  });

  it('allows every form of an allowed address', () => {
    const policy = fleetPolicy('127.0.0.0/8', '::1', 'fe80::/10');
    const allowed = [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::127.0.0.1',
      '2002:7f00:1::',
      'fe80::1%eth0',
    ];
    expect(allowed.filter((address) => !policy.allows(address))).toEqual([]);
    expect(policy.allows('169.254.169.254')).toBe(false);
    expect(fleetPolicy('::ffff:127.0.0.0/104').allows('127.1.2.3')).toBe(true);
  });

  it.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/x', 'fd00::/129', '::ffff:10.0.0.0/8'])(
    'takes %j for no network',
    (network) => {
      expect(() => fleetPolicy(network)).toThrow(/is no (address and no )?network/);
    },
  );
});

describe('a name', () => {
  it('is refused if any of its addresses is, otherwise returned with all of them in order', async () => {
    await expect(fleetNaming('10.0.0.1', '127.0.0.1').resolve('two.example')).rejects.toMatchObject({
      code: 'address_refused',
    });
    await expect(fleetNaming('::1', '10.0.0.1').resolve('two.example')).rejects.toMatchObject({
      code: 'address_refused',
    });
    expect(await fleetNaming('fd12::0:1', '10.0.0.1').resolve('two.example')).toEqual([
      { address: 'fd12::1', family: 6 },
      { address: '10.0.0.1', family: 4 },
    ]);
  });

  it("of this machine has this machine's addresses", async () => {
    await expect(publicPolicy().resolve('localhost')).rejects.toMatchObject({ code: 'address_refused' });
    await expect(fleetPolicy().resolve('localhost')).rejects.toMatchObject({ code: 'address_refused' });
    const addresses = await fleetPolicy('127.0.0.0/8', '::1').resolve('localhost');
    expect(addresses.length).toBeGreaterThan(0);
  });

  it.each(['127.1', '0x7f.1', '2130706433', '0177.0.0.1', '0x7f000001', '127.0.1'])(
    '%s is the loopback address that the system takes it for',
    async (spelling) => {
      await expect(fleetPolicy().resolve(spelling)).rejects.toMatchObject({ code: 'address_refused' });
      expect(await fleetPolicy('127.0.0.1').resolve(spelling)).toEqual([{ address: '127.0.0.1', family: 4 }]);
    },
  );

  it('is returned as the address that was checked', async () => {
    expect(await fleetPolicy('127.0.0.1').resolve('::ffff:127.0.0.1')).toEqual([
      { address: '127.0.0.1', family: 4 },
    ]);
    expect(await fleetPolicy('::1').resolve('[0:0::1]')).toEqual([{ address: '::1', family: 6 }]);
    expect(await fleetPolicy('fe80::/10').resolve('FE80::0001%eth0')).toEqual([
      { address: 'fe80::1%eth0', family: 6 },
    ]);
    expect(await fleetPolicy().resolve('2001:db8::1%eth0')).toEqual([{ address: '2001:db8::1', family: 6 }]);
    await expect(fleetPolicy().resolve('[::1]')).rejects.toBeInstanceOf(AddressError);
  });

  it.each(['-oProxyCommand=reboot', 'a;b', '$(x)', 'a b', '', '127.0.0.1.', '127.0.0.1/8', '::1]', '%eth0'])(
    '%j leads nowhere or is refused, and nothing else comes of it',
    async (hostname) => {
      await expect(fleetPolicy().resolve(hostname)).rejects.toBeInstanceOf(AddressError);
    },
  );

  it('that has no address is an error', async () => {
    await expect(fleetNaming().resolve('none.example')).rejects.toMatchObject({
      code: 'dns_failed',
      message: 'The name "none.example" has no address: check its spelling.',
    });
  });
});

describe('the sentence of a refusal', () => {
  it("gives a name's address and the setting that allows it", async () => {
    await expect(fleetNaming('169.254.169.254').resolve('db.example')).rejects.toThrow(
      'db.example leads to 169.254.169.254, which is a link-local address, where clouds keep their metadata services: ' +
        'use another address of the machine, or list this one in ssh.allowed_networks if it is meant.',
    );
  });

  it("gives an address's kind", async () => {
    await expect(publicPolicy().resolve('10.1.2.3')).rejects.toThrow(
      '10.1.2.3 is not a public address: use another address of the machine, or list this one in ' +
        'feeds.allowed_private_networks if it is meant.',
    );
  });

  it('names the setting of its policy', async () => {
    const policy = createSshAddressPolicy([], { setting: 'another.setting' });
    await expect(policy.resolve('::1')).rejects.toThrow('list this one in another.setting if it is meant');
  });

  it('names the IPv4 address inside an IPv6 address', async () => {
    await expect(fleetPolicy().resolve('64:ff9b::7f00:1')).rejects.toThrow(
      /^64:ff9b::7f00:1 is the way to 127\.0\.0\.1, an address of this machine itself: /,
    );
  });
});
