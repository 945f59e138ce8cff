import { operations, passwordFault } from '../src/index.ts';

const { body: login } = operations.login;
const { body: setup } = operations.completeSetup;
const { body: register } = operations.registerAgent;

describe('passwordFault', () => {
  it.each([
    ['12 characters', 'a'.repeat(12), true],
    ['11 characters', 'a'.repeat(11), false],
    ['12 characters of two UTF-16 units each', '😀'.repeat(12), true],
    ['11 characters of two UTF-16 units each', '😀'.repeat(11), false],
    ['72 bytes', 'a'.repeat(72), true],
    ['73 bytes', 'a'.repeat(73), false],
    ['72 bytes in 24 characters', '€'.repeat(24), true],
    ['75 bytes in 25 characters', '€'.repeat(25), false],
    ['a NUL, where bcrypt would stop reading', 'correct horse\0battery', false],
    ['an unpaired surrogate, which has no UTF-8', 'correct horse\ud800battery', false],
  ])('judges %s', (_, password, good) => {
    expect(passwordFault(password) === null).toBe(good);
  });
});

describe('e-mail addresses', () => {
  it.each(['admin@localhost', 'First.Last+tag@Example.ORG', 'ü@bücher.example'])(
    'takes %s in lower case',
    (email) => {
      expect(login.schema.parse({ email, password: '' }).email).toBe(email.toLowerCase());
    },
  );

  it.each([
    '',
    'admin',
    '@',
    'a@',
    '@b',
    'a b@c',
    'a@b c',
    `${'a'.repeat(65)}@b`,
    `a@${'b'.repeat(253)}`,
    'a\0@b.example',
  ])('refuses %j', (email) => {
    expect(setup.schema.safeParse({ email, password: 'correct horse battery' }).success).toBe(false);
  });
});

describe('enrolments', () => {
  const smallest = { registration_token: 'plr_x', hostname: 'web-1', machine_id: '0f3a' };

  it.each([
    ['without metadata', smallest],
    ['with metadata null', { ...smallest, metadata: null }],
    ['with empty metadata', { ...smallest, metadata: {} }],
    [
      'with empty fields',
      { ...smallest, metadata: { ip_address: '', os_name: '', os_version: '', architecture: '' } },
    ],
    ['with fields of a newer agent', { ...smallest, color: 'red', metadata: { gpu: true } }],
    ['with an IPv6 address', { ...smallest, metadata: { ip_address: '2001:db8::1' } }],
    ['with a hostname of 253 characters', { ...smallest, hostname: 'a'.repeat(253) }],
  ])('are taken %s', (_, body) => {
    expect(register.schema.safeParse(body).error).toBeUndefined();
  });

  it.each([
    ['without hostname', { ...smallest, hostname: undefined }],
    ['with a hostname of 254 characters', { ...smallest, hostname: 'a'.repeat(254) }],
    ['with an empty machine id', { ...smallest, machine_id: '' }],
    ['with a machine id of 129 characters', { ...smallest, machine_id: 'a'.repeat(129) }],
    ['with a machine id with a space', { ...smallest, machine_id: 'a b' }],
    ['with an address that is none', { ...smallest, metadata: { ip_address: '300.1.1.1' } }],
    ['with NUL in a name', { ...smallest, metadata: { os_name: 'deb\0ian' } }],
    ['with a token that is a number', { ...smallest, registration_token: 7 }],
  ])('are refused %s', (_, body) => {
    expect(register.schema.safeParse(body).success).toBe(false);
  });
});

describe('queries', () => {
  const query = operations.listHosts.query;

  it.each([
    ['limit', '1', 1],
    ['limit', '1000', 1000],
    ['needs_reboot', 'true', true],
    ['needs_reboot', '0', false],
    ['sort', '-critical_count', '-critical_count'],
  ])('read %s=%s', (name, text, value) => {
    expect(query.parse({ [name]: text })).toEqual({ [name]: value });
  });

  it.each([
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', ''],
    ['limit', '1e2'],
    ['limit', '-1'],
    ['limit', ' 5'],
    ['limit', '5.0'],
    ['needs_reboot', 'yes'],
    ['sort', 'password_hash'],
    ['sort', '--hostname'],
    ['severity', 'none'],
    ['status', 'Active'],
    ['cursor', 'not a cursor'],
    ['colour', 'red'],
  ])('refuse %s=%s', (name, text) => {
    expect(query.safeParse({ [name]: text }).success).toBe(false);
  });
});
