import { configEnvironment, loadConfig } from '../src/index.ts';

const place = { fileName: 'plimsoll.yaml', projectDir: '/srv' };
const load = (fileText: string) => loadConfig({ env: {}, fileText, ...place });
const provider = 'oidc.issuer: https://id.example.org/realms/main/\noidc.client_id: plimsoll\n';

it('the issuer is kept as it is written: the slash at the end is a part of it', () => {
  expect(load(provider)['oidc.issuer']).toBe('https://id.example.org/realms/main/');
});

it.each([
  'http://id.example.org',
  'https://id.example.org?a=b',
  'https://id.example.org#a',
  'https://me:hunter2@id.example.org',
  'id.example.org',
])('the issuer %s is refused', (issuer) => {
  expect(() => load(`oidc.issuer: "${issuer}"\noidc.client_id: x\n`)).toThrow('oidc.issuer must be');
});

it('an issuer on this machine may be plain http', () => {
  const text = 'oidc.issuer: http://127.0.0.1:4000\noidc.client_id: x\n';
  expect(load(text)['oidc.issuer']).toBe('http://127.0.0.1:4000');
});

it('issuer and client id belong together; the secret is in one place', () => {
  expect(() => load('oidc.issuer: https://id.example.org\n')).toThrow('oidc.client_id is not set');
  const secrets = 'oidc.client_secret: hunter2hunter2\noidc.client_secret_file: secret\n';
  expect(() => load(provider + secrets)).toThrow('set one of them');
});

it.each([
  'patch-admins=admin@web',
  'patch-admins=root',
  'patch-admins',
  '=admin',
  'a=viewer@',
  'a=viewer@b@c=d',
])('the access rule %s is refused', (rule) => {
  expect(() => load(`oidc.access: ["${rule}"]\n`)).toThrow('oidc.access must be');
});

it('access rules reach the process of the API unchanged, also with commas in groups', () => {
  for (const rules of [
    ['a=admin', 'b c=viewer@web'],
    ['CN=a,OU=b=operator', 'b=viewer'],
  ]) {
    const config = load(`oidc.access: ${JSON.stringify(rules)}\n`);
    const env = configEnvironment(config, {});
    expect(loadConfig({ env, fileText: null, ...place })['oidc.access']).toEqual(rules);
  }
  const env = { PLIMSOLL_OIDC_ACCESS: '["a"' };
  expect(() => loadConfig({ env, fileText: null, ...place })).toThrow('oidc.access must be');
});

it('scopes must have openid', () => {
  expect(() => load('oidc.scopes: [profile]\n')).toThrow('oidc.scopes must be');
  expect(load('oidc.scopes: [openid, "api://x/.default"]\n')['oidc.scopes']).toEqual([
    'openid',
    'api://x/.default',
  ]);
});
