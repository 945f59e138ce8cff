import { grantedAccess } from '../src/oidc/granted-access.ts';
import { accessRuleOf } from '../src/oidc/oidc-settings.ts';
import { ownPath } from '../src/oidc/own-path.ts';
import { createPendingSeal } from '../src/oidc/pending-sign-in.ts';
import { claimAt, readClaims } from '../src/oidc/provided-claims.ts';
import { lineOf } from '../src/oidc/sign-in-refused.ts';

describe('access of groups', () => {
  const rules = ['a=admin', 'o=operator', 'w=viewer@web', 's=viewer@shop', 'v=viewer', 'wo=operator@web'].map(
    accessRuleOf,
  );
  const whole = { kind: 'whole_fleet' };
  it.each([
    [[], null],
    [['A', 'unknown', ''], null],
    [['a', 'w'], { role: 'admin', scope: whole }],
    [['w'], { role: 'viewer', scope: { kind: 'tagged', tags: ['web'] } }],
    [['w', 's'], { role: 'viewer', scope: { kind: 'tagged', tags: ['shop', 'web'] } }],
    [['w', 'v'], { role: 'viewer', scope: whole }],
    [['wo', 'v'], { role: 'operator', scope: { kind: 'tagged', tags: ['web'] } }],
    [['wo', 'o'], { role: 'operator', scope: whole }],
  ])('%j', (groups, access) => {
    expect(grantedAccess(groups, rules)).toEqual(access);
  });

  it('a group may contain the signs of a rule', () => {
    expect(accessRuleOf('CN=x,OU=y@z=viewer@web')).toEqual({
      group: 'CN=x,OU=y@z',
      role: 'viewer',
      tag: 'web',
    });
    expect(() => accessRuleOf('a=root')).toThrow();
    expect(() => accessRuleOf('admin')).toThrow();
  });
});

describe('claims', () => {
  const who = { issuer: 'https://id.example', subject: 's' };
  const read = (claims: Record<string, unknown>) => readClaims(claims, who, 'groups');

  it('are found by name first, then by path, and never in prototypes', () => {
    const claims = { 'a.b': 1, a: { b: 2, c: { d: 3 } }, list: [1] };
    expect(
      ['a.b', 'a.c.d', 'a.c.e', 'toString', 'a.constructor', 'list.0'].map((name) => claimAt(claims, name)),
    ).toEqual([1, 3, undefined, undefined, undefined, undefined]);
  });

  it('of wrong kinds are none', () => {
    expect(read({ email: 5, email_verified: 'yes', name: {}, groups: { a: 1 } })).toEqual({
      ...who,
      email: null,
      emailVerified: false,
      name: '',
      groups: null,
    });
    expect(read({ groups: ['a', 5, null, { a: 1 }] }).groups).toEqual(['a']);
    expect(read({ groups: 'a' }).groups).toEqual(['a']);
  });

  it('an e-mail address that replaces a missing one is not verified', () => {
    expect(read({ preferred_username: 'A@example.org', email_verified: true })).toMatchObject({
      email: 'a@example.org',
      emailVerified: false,
    });
  });

  it('names are shortened and have no control characters', () => {
    expect(read({ name: `a\u0000\u202e${'b'.repeat(500)}` }).name).toBe(`a${'b'.repeat(199)}`);
    expect(read({ given_name: 'Ada', family_name: 'Lovelace' }).name).toBe('Ada Lovelace');
  });
});

describe('the way back', () => {
  it.each([
    [undefined, '/'],
    ['', '/'],
    ['/', '/'],
    ['/hosts?q=a%20b#x', '/hosts?q=a%20b#x'],
    ['/a/../hosts', '/hosts'],
    ['//x', '/'],
    ['/\\x', '/'],
    ['/a\\b', '/'],
    ['/..//x', '/'],
    ['/./\t/x', '/'],
    ['https://x', '/'],
    ['hosts', '/'],
    ['/api/v1/auth/oidc/start', '/'],
    [`/${'a'.repeat(2000)}`, '/'],
  ])('%j is %j', (text, path) => {
    expect(ownPath(text)).toBe(path);
  });
});

describe('a pending sign-in', () => {
  const pending = {
    id: '019a0000-0000-7000-8000-000000000000',
    state: 's',
    nonce: 'n',
    verifier: 'v',
    back: '/',
    again: false,
    endsAt: 1000,
  };
  const seal = createPendingSeal('a secret');

  it('is read by the same secret until it ends', () => {
    const sealed = seal.seal(pending);
    expect(seal.open(sealed, new Date(999))).toEqual(pending);
    expect(seal.open(sealed, new Date(1000))).toBeNull();
    expect(createPendingSeal('another').open(sealed, new Date(0))).toBeNull();
  });

  it('is null for every other text, and for each changed byte', () => {
    const bytes = Buffer.from(seal.seal(pending), 'base64url');
    for (let n = 0; n < bytes.length; n += 1) {
      const changed = Buffer.from(bytes);
      changed[n] = (changed[n] ?? 0) ^ 1;
      expect(seal.open(changed.toString('base64url'), new Date(0))).toBeNull();
    }
    for (const text of ['', 'x', 'A'.repeat(100_000), bytes.subarray(0, 20).toString('base64url')])
      expect(seal.open(text, new Date(0))).toBeNull();
  });
});

it('a line of the log has the messages of all causes, short and without control characters', () => {
  const error = new Error('outer', { cause: new Error('in\nner\u001b[31m', { cause: 'x' }) });
  expect(lineOf(error)).toBe('outer: in ner [31m');
  expect(lineOf(new Error('x'.repeat(1000)))).toHaveLength(300);
  expect(lineOf('no error')).toBe('');
});
