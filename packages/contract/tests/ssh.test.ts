import fc from 'fast-check';
import { operations } from '../src/index.ts';

const { schema: newHost } = operations.createSshHost.body;
const { schema: changes } = operations.updateHost.body;
const { schema: acceptance } = operations.acceptHostKey.body;

const smallest = { display_name: 'Web 1', hostname: 'web-1.example.org', ssh_user: 'plimsoll' };
const digest = 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA';

/** Returns the fault of a value, as pointer and sentence; null if it is accepted. */
function faultOf(value: object): readonly [string, string] | null {
  const issue = newHost.safeParse(value).error?.issues[0];
  return issue === undefined ? null : [issue.path.join('/'), issue.message];
}

it('applies the defaults of a new host', () => {
  expect(newHost.parse(smallest)).toEqual({
    ...smallest,
    exposure: null,
    frequency_minutes: 60,
    unique_key_pair: false,
    port: 22,
    tags: [],
  });
});

describe('a hostname', () => {
  it.each([
    ['web-1', 'web-1'],
    ['web-1.example.org', 'web-1.example.org'],
    ['web-1.example.org.', 'web-1.example.org'],
    ['Web-1.Example.ORG', 'Web-1.Example.ORG'],
    ['_dmarc.my_host', '_dmarc.my_host'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['3com', '3com'],
    ['1.2.3.4.example', '1.2.3.4.example'],
    ['192.0.2.7', '192.0.2.7'],
    ['0.0.0.0', '0.0.0.0'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['::', '::'],
    ['::1', '::1'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
    ['FE80::1', 'FE80::1'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    [`${`${'a'.repeat(62)}.`.repeat(4)}b`, `${`${'a'.repeat(62)}.`.repeat(4)}b`],
    [`${`${'a'.repeat(62)}.`.repeat(4)}b.`, `${`${'a'.repeat(62)}.`.repeat(4)}b`],
  ])('%j is %j', (hostname, stored) => {
    expect(newHost.parse({ ...smallest, hostname }).hostname).toBe(stored);
  });

  it.each([
    ['', 'must not be empty'],
    [' ', 'must not contain spaces or control characters'],
    ['web 1', 'must not contain spaces or control characters'],
    [' web-1', 'must not contain spaces or control characters'],
    ['web-1\n', 'must not contain spaces or control characters'],
    ['web-1\0', 'must not contain spaces or control characters'],
    ['web\u00a01', 'must not contain spaces or control characters'],
    ['web\ud800', 'must not contain spaces or control characters'],
    ['ssh://web-1', 'must be a name or an address, not a URL'],
    ['https://web-1/', 'must be a name or an address, not a URL'],
    ['root@web-1', 'must be a name or an address alone: the user belongs into ssh_user'],
    ['-oProxyCommand=id', 'must not begin with "-"'],
    ['-web', 'must not begin with "-"'],
    ['fe80::1%eth0', 'must not have a zone id ("%…")'],
    ['[fe80::1%25eth0]', 'must not have a zone id ("%…")'],
    ['web-1:22', 'must be a name or an address alone: the port belongs into port'],
    ['192.0.2.7:22', 'must be a name or an address alone: the port belongs into port'],
    ['[::1]:22', 'must be a name or an address alone: the port belongs into port'],
    ['bücher.example', expect.stringMatching(/^must be ASCII: .*"xn--"$/)],
    ['１２７.0.0.1', expect.stringMatching(/^must be ASCII/)],
    ['web。example', expect.stringMatching(/^must be ASCII/)],
    ['a;b', expect.stringMatching(/^must be a DNS name/)],
    ['$(x)', expect.stringMatching(/^must be a DNS name/)],
    ['`x`', expect.stringMatching(/^must be a DNS name/)],
    ['a|b', expect.stringMatching(/^must be a DNS name/)],
    ['a/b', expect.stringMatching(/^must be a DNS name/)],
    ['a\\b', expect.stringMatching(/^must be a DNS name/)],
    ['a,b', expect.stringMatching(/^must be a DNS name/)],
    ['*.example', expect.stringMatching(/^must be a DNS name/)],
    ['[web-1]', expect.stringMatching(/^must be a DNS name/)],
    ['[192.0.2.7]', expect.stringMatching(/^must be a DNS name/)],
    ['[::1', expect.stringMatching(/^must be a DNS name/)],
    ['::1]', expect.stringMatching(/^must be a DNS name/)],
    ['[]', expect.stringMatching(/^must be a DNS name/)],
    ['.', 'must not have two dots in a row, or one in front'],
    ['.web', 'must not have two dots in a row, or one in front'],
    ['web..example', 'must not have two dots in a row, or one in front'],
    ['web..', 'must not have two dots in a row, or one in front'],
    ['web-.example', 'must not have "-" beside a dot or at the end'],
    ['web.-example', 'must not have "-" beside a dot or at the end'],
    ['web-', 'must not have "-" beside a dot or at the end'],
    [`${'a'.repeat(64)}.example`, 'must have at most 63 characters between two dots'],
    [`${'a.'.repeat(126)}bc`, 'must have at most 253 characters'],
    [':'.repeat(60_000), 'must have at most 253 characters'],
    ['1:2:3:4:5:6:7:8:9', 'is not a valid IPv6 address'],
    ['1::2::3', 'is not a valid IPv6 address'],
    ['::1.', 'is not a valid IPv6 address'],
    ['::ffff:300.0.0.1', 'is not a valid IPv6 address'],
    ['127.1', expect.stringMatching(/^ends in a number/)],
    ['2130706433', expect.stringMatching(/^ends in a number/)],
    ['0x7f.0.0.1', expect.stringMatching(/^ends in a number/)],
    ['127.0.0.0x1', expect.stringMatching(/^ends in a number/)],
    ['0x7f000001', expect.stringMatching(/^ends in a number/)],
    ['0177.0.0.1', expect.stringMatching(/^ends in a number/)],
    ['192.0.2.256', expect.stringMatching(/^ends in a number/)],
    ['192.0.2.7.1', expect.stringMatching(/^ends in a number/)],
    ['web.1', expect.stringMatching(/^ends in a number/)],
  ])('%j is refused with a sentence', (hostname, sentence) => {
    expect(faultOf({ ...smallest, hostname })).toEqual(['hostname', sentence]);
  });

  it('is accepted only if shell, URL and ssh read it as a plain name', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (hostname) => {
        const { data } = newHost.safeParse({ ...smallest, hostname });
        expect(data?.hostname ?? 'refused').toMatch(/^[A-Za-z0-9_:][A-Za-z0-9._:-]*$/);
      }),
    );
  });
});

describe('an ssh_user', () => {
  it.each([
    'root',
    'a',
    '_apt',
    'plimsoll-1',
    'first.last',
    '1234',
    'CORP\\first.last',
    'CORP+jdoe',
    'jdoe@corp.example',
    'x'.repeat(128),
  ])('%s is taken as it is', (ssh_user) => {
    expect(newHost.parse({ ...smallest, ssh_user }).ssh_user).toBe(ssh_user);
    expect(changes.parse({ ssh_user })).toEqual({ ssh_user });
  });

  it.each([
    '',
    ' ',
    'a b',
    'root\n',
    'a\0b',
    '-l',
    '-oProxyCommand=id',
    'a;b',
    '$(id)',
    '$HOME',
    '`id`',
    'a|b',
    'a&b',
    'a>b',
    'a*',
    '~root',
    'a/b',
    'a:b',
    'a,b',
    "a'b",
    'a"b',
    '\\root',
    'CORP\\',
    'A\\B\\c',
    '@corp',
    'a@',
    'a@b@c',
    'jürgen',
    'x'.repeat(129),
  ])('%j is refused', (ssh_user) => {
    expect(faultOf({ ...smallest, ssh_user })).toEqual(['ssh_user', expect.stringMatching(/^must /)]);
    expect(changes.safeParse({ ssh_user }).success).toBe(false);
  });
});

describe('numbers of a new host', () => {
  it.each([
    ['port', [1, 65_535], [0, 65_536, 22.5, -1, '22', null]],
    ['frequency_minutes', [5, 10_080], [4, 10_081, 60.5, '60', null]],
  ])('%s', (name, good, bad) => {
    for (const value of good) {
      expect(newHost.parse({ ...smallest, [name]: value })).toMatchObject({ [name]: value });
      expect(changes.parse({ [name]: value })).toEqual({ [name]: value });
    }
    for (const value of bad) {
      expect(faultOf({ ...smallest, [name]: value })?.[0]).toBe(name);
      expect(changes.safeParse({ [name]: value }).success).toBe(false);
    }
  });
});

describe('the fingerprint of a host key', () => {
  const printed = `SHA256:${digest}`;

  it.each([printed, `${printed}=`, ` ${printed}\n`, `SHA256:${'A'.repeat(43)}`])('%j is taken', (text) => {
    const stored = text.trim().replace(/=$/, '');
    expect(newHost.parse({ ...smallest, host_key_fingerprint: text }).host_key_fingerprint).toBe(stored);
    expect(acceptance.parse({ fingerprint: text })).toEqual({ fingerprint: stored });
  });

  it.each([
    ['', /^must be "SHA256:"/],
    ['MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48', /^is an MD5 fingerprint/],
    ['16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48', /^is an MD5 fingerprint/],
    [digest, /^must be "SHA256:"/],
    [`sha256:${digest}`, /^must be "SHA256:"/],
    [`SHA1:${digest}`, /^must be "SHA256:"/],
    [`SHA256:${digest.slice(1)}`, /^must be "SHA256:"/],
    [`SHA256:${digest}A`, /^must be "SHA256:"/],
    [`SHA256:${digest}==`, /^must be "SHA256:"/],
    // The last two bits belong to no byte: no key has this fingerprint.
    [`SHA256:${digest.slice(0, -1)}B`, /^must be "SHA256:"/],
    [`SHA256:${digest.replace('A', '-')}`, /^must be "SHA256:"/],
    [`256 ${printed} root@web-1 (ED25519)`, /^must be "SHA256:"/],
  ])('%j is refused with a sentence', (text, sentence) => {
    expect(faultOf({ ...smallest, host_key_fingerprint: text })).toEqual([
      'host_key_fingerprint',
      expect.stringMatching(sentence),
    ]);
    expect(acceptance.safeParse({ fingerprint: text }).success).toBe(false);
  });
});

it.each(['password', 'private_key', 'id', 'Hostname'])('a new host has no field %s', (name) => {
  expect(newHost.safeParse({ ...smallest, [name]: 'x' }).success).toBe(false);
});
