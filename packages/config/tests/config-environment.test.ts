import { configEnvironment, configReport, loadConfig } from '../src/index.ts';

const fileText = `
data_dir: /srv/data
api: { port: 81, trusted_proxies: [10.0.0.0/8, 192.168.0.1], jwt_secret_key: ${'k'.repeat(40)} }
feeds: { sync_enabled: false, base_url: "file:///srv/feeds" }
database.url: postgresql://plimsoll:hunter2@127.0.0.1:5432/plimsoll
`;
const config = loadConfig({ env: {}, fileText, fileName: '/etc/plimsoll.yaml', projectDir: '/srv' });

it('hands a child process exactly the same configuration', () => {
  const env = configEnvironment(config, {
    PORT: '1',
    DATABASE_URL: 'postgres://elsewhere',
    PLIMSOLL_API_HOST: '::',
  });
  expect(loadConfig({ env, fileText: null, fileName: null, projectDir: '/elsewhere' })).toEqual(config);
});

it('keeps variables of other programs and leaves out withheld settings', () => {
  const env = configEnvironment(config, { HOME: '/home/me', API_JWT_SECRET_KEY: 'x' }, [
    'api.jwt_secret_key',
  ]);
  expect(env['HOME']).toBe('/home/me');
  expect(Object.keys(env).filter((name) => name.includes('JWT'))).toEqual([]);
});

it('reports addresses of feeds without user name, password and query', () => {
  const env = {
    PLIMSOLL_FEEDS_BASE_URL: 'http://me:hunter2@mirror.lan:9998/osv',
    PLIMSOLL_FEEDS_URLS: 'debian-osv=https://me:hunter2@m.lan/d/,epss=https://m.lan/e.csv?sig=hunter2',
    PLIMSOLL_FEEDS_PROXY: 'http://me:hunter2@proxy.lan:3128',
  };
  const lines = configReport({ env, fileText: null, fileName: null, projectDir: '/srv' });
  const byKey = new Map(lines.map(({ key, value }) => [key, value]));
  expect(byKey.get('feeds.base_url')).toBe('http://mirror.lan:9998/osv');
  expect(byKey.get('feeds.urls')).toBe('debian-osv=https://m.lan/d/,epss=https://m.lan/e.csv');
  expect(byKey.get('feeds.proxy')).toBe('(secret)');
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

it('reports every setting with its origin and no secret', () => {
  const lines = configReport({
    env: { PORT: '82' },
    fileText,
    fileName: '/etc/plimsoll.yaml',
    projectDir: '/srv',
  });
  const byKey = new Map(lines.map(({ key, ...rest }) => [key, rest]));
  expect(byKey.get('api.port')).toEqual({ value: '82', source: 'PORT' });
  expect(byKey.get('database.url')).toEqual({ value: '(secret)', source: '/etc/plimsoll.yaml line 5' });
  expect(byKey.get('redis.url')).toEqual({ value: '(not set)', source: 'default' });
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});
