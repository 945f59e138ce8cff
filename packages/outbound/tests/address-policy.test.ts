import { AddressError, createAddressPolicy } from '../src/index.ts';

describe('address policy', () => {
  it.each([
    ['8.8.8.8', true],
    ['2606:4700:4700::1111', true],
    ['127.0.0.1', false],
    ['127.8.8.8', false],
    ['0.0.0.0', false],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:8.8.8.8', true],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['not an address', false],
  ])('says of %s without any allowed network: %s', (address, allowed) => {
    expect(createAddressPolicy([]).allows(address)).toBe(allowed);
  });

  it('allows what lies in an allowed network and nothing beside it', () => {
    const policy = createAddressPolicy(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);
    expect(['10.255.0.1', '::ffff:10.0.0.1', 'fd12::1', '127.0.0.1'].map((a) => policy.allows(a))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['11.0.0.1', '127.0.0.2', 'fe80::1', '192.168.0.1'].map((a) => policy.allows(a))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('refuses a name when any of its addresses is refused', async () => {
    await expect(createAddressPolicy([]).resolve('localhost')).rejects.toMatchObject({
      code: 'address_refused',
    });
    const addresses = await createAddressPolicy(['127.0.0.0/8', '::1']).resolve('localhost');
    expect(addresses.length).toBeGreaterThan(0);
  });

  it('takes an address as it is, in brackets too', async () => {
    expect(await createAddressPolicy(['::1']).resolve('[::1]')).toEqual([{ address: '::1', family: 6 }]);
    await expect(createAddressPolicy([]).resolve('[::1]')).rejects.toBeInstanceOf(AddressError);
  });

  it('says when a name does not exist', async () => {
    await expect(createAddressPolicy([]).resolve('name.invalid')).rejects.toMatchObject({
      code: 'dns_failed',
    });
  });
});
