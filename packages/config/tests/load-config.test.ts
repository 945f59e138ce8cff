import {
  ConfigError,
  type ConfigMistake,
  environmentName,
  loadConfig,
  type SettingKey,
  settingKeys,
} from '../src/index.ts';

const secret = 'k'.repeat(32);

function load(
  env: Record<string, string>,
  fileText: string | null = null,
  required: readonly SettingKey[] = [],
) {
  return loadConfig({
    env,
    fileText,
    fileName: fileText === null ? null : 'plimsoll.yaml',
    projectDir: '/srv/plimsoll',
    required,
  });
}

function mistakesOf(run: () => unknown): readonly ConfigMistake[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

describe('values', () => {
  it('works with nothing set', () => {
    const config = load({});
    expect(config['api.port']).toBe(8080);
    expect(config['database.url']).toBeNull();
    expect(config['data_dir']).toBe('/srv/plimsoll/data');
  });

  it.each([
    ['a group', 'api:\n  port: 9000\n'],
    ['a dotted key', 'api.port: 9000\n'],
  ])('reads %s of the file', (_, fileText) => {
    expect(load({}, fileText)['api.port']).toBe(9000);
  });

  it.each([
    ['the variable over the alias', { PLIMSOLL_API_PORT: '1', PORT: '2' }, 1],
    ['the alias over the file', { PORT: '2' }, 2],
    ['the file over the default', {}, 3],
  ])('prefers %s', (_, env: Record<string, string>, port) => {
    expect(load(env, 'api.port: 3')['api.port']).toBe(port);
  });

  it.each([
    ['API_JWT_SECRET_KEY', 'api.jwt_secret_key', secret],
    ['DATABASE_URL', 'database.url', 'postgres://db/plimsoll'],
    ['REDIS_URL', 'redis.url', 'rediss://cache:6380'],
  ] as const)('takes %s for %s', (name, key, value) => {
    expect(load({ [name]: value })[key]).toBe(value);
  });

  it('splits lists of the environment at commas', () => {
    const env = { PLIMSOLL_API_TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1' };
    expect(load(env)['api.trusted_proxies']).toEqual(['10.0.0.0/8', '2001:db8::1']);
  });

  it('drops the trailing slash of a URL', () => {
    expect(load({ PLIMSOLL_FEEDS_BASE_URL: 'file:///srv/osv/' })['feeds.base_url']).toBe('file:///srv/osv');
  });

  it.each(['https://plimsoll.example.org:8443/patches', 'http://[2001:db8::1]:8080', 'https://10.0.0.7'])(
    'takes %s for the public URL',
    (text) => expect(load({ PLIMSOLL_API_PUBLIC_URL: `${text}/` })['api.public_url']).toBe(text),
  );

  it.each(['10.0.0.0/8', 'fc00::/7', '::ffff:10.0.0.0/104', '2001:db8::/32', '192.0.2.1', '::1'])(
    'takes %s for a network of proxies',
    (text) => expect(load({ PLIMSOLL_API_TRUSTED_PROXIES: text })['api.trusted_proxies']).toEqual([text]),
  );

  it('leave database connections to uploads while all large reads run', () => {
    const config = load({});
    expect(config['api.large_reads']).toBeLessThan(config['database.pool_size']);
    expect(config['api.large_reads_per_user'] * 2).toBeLessThan(config['api.large_reads']);
  });

  it('refuses a pool in which an import would wait for itself', () => {
    expect(load({ PLIMSOLL_DATABASE_POOL_SIZE: '3' })['database.pool_size']).toBe(3);
    const [mistake] = mistakesOf(() => load({ PLIMSOLL_DATABASE_POOL_SIZE: '2' }));
    expect(mistake?.message).toContain('from 3 to 500');
  });

  it('hides the credentials of a public URL that it refuses', () => {
    const [mistake] = mistakesOf(() => load({ PLIMSOLL_API_PUBLIC_URL: 'https://me:hunter2@x.example' }));
    expect(mistake?.message).toContain('without user, query or fragment');
    expect(mistake?.message).not.toContain('hunter2');
  });

  it('resolves a relative folder against the place of its setting', () => {
    const input = {
      env: {},
      fileText: 'data_dir: state',
      fileName: '/etc/plimsoll/plimsoll.yaml',
      projectDir: '/srv',
    };
    expect(loadConfig(input).data_dir).toBe('/etc/plimsoll/state');
    expect(loadConfig({ ...input, env: { PLIMSOLL_DATA_DIR: 'state' } }).data_dir).toBe('/srv/state');
  });

  it('resolves a relative file against the place of its setting', () => {
    const input = {
      env: { PLIMSOLL_SSH_SEALING_PUBLIC_KEY_FILE: 'keys/public', PLIMSOLL_CONFIG: '' },
      fileText: 'ssh.sealing_keys_file: keys/ring',
      fileName: '/etc/plimsoll/plimsoll.yaml',
      projectDir: '/srv',
    };
    const config = loadConfig(input);
    expect(config['ssh.sealing_keys_file']).toBe('/etc/plimsoll/keys/ring');
    expect(config['ssh.sealing_public_key_file']).toBe('/srv/keys/public');
    expect(load({})['ssh.sealing_keys_file']).toBeNull();
  });

  it('accepts an empty file', () => {
    expect(load({}, '# nothing yet\n')['api.port']).toBe(8080);
  });
});

describe('mistakes', () => {
  it.each([
    ['PLIMSOLL_API_TLS_CERT_FILE', 'api.tls_key_file'],
    ['PLIMSOLL_API_TLS_KEY_FILE', 'api.tls_cert_file'],
  ])('name the half of a certificate that %s lacks', (name, missing) => {
    const mistakes = mistakesOf(() => load({ [name]: '/etc/tls/pem' }));
    expect(mistakes).toEqual([
      expect.objectContaining({ key: missing, message: expect.stringContaining('set both or neither') }),
    ]);
  });

  it('are reported all at once, with their keys and origins', () => {
    const mistakes = mistakesOf(() =>
      load(
        { PLIMSOLL_API_HSOT: '::', API_JWT_SECRET_KEY: 'short', PLIMSOLL_LOG_LEVEL: 'loud' },
        'api:\n  prot: 1\nqueue.prefix: plimsoll\ndata_dir:\n',
        ['database.url'],
      ),
    );
    expect(mistakes.map(({ key, source }) => [key, source])).toEqual([
      ['api.prot', 'plimsoll.yaml line 2'],
      ['queue.prefix', 'plimsoll.yaml line 3'],
      ['data_dir', 'plimsoll.yaml line 4'],
      ['log.level', 'PLIMSOLL_LOG_LEVEL'],
      ['api.jwt_secret_key', 'API_JWT_SECRET_KEY'],
      ['PLIMSOLL_API_HSOT', 'environment'],
      ['database.url', 'set database.url in the file or PLIMSOLL_DATABASE_URL'],
    ]);
  });

  it.each([
    ['api.prot: 1', 'did you mean api.port?'],
    ['jwt_secret_key: x', 'did you mean api.jwt_secret_key?'],
    ['databse.url: x', 'did you mean database.url?'],
  ])('of spelling (%s) suggest the intended key', (fileText, hint) => {
    expect(mistakesOf(() => load({}, fileText))[0]?.message).toContain(hint);
  });

  it.each([
    ['api.port: 65536', 'a whole number from 1 to 65535, but is 65536'],
    ['api.port: "80"', 'a whole number from 1 to 65535, but is "80"'],
    ['api.port: {a: 1}', 'a whole number from 1 to 65535, but is {"a":1}'],
    ['feeds.sync_enabled: yes', '`true` or `false`, but is "yes"'],
    ['feeds.base_url: ftp://mirror', 'a URL that starts with `https://`'],
    ['api.trusted_proxies: [10.0.0.0/33]', 'a list of IP addresses or networks'],
    ['api.trusted_proxies: [0.0.0.0/0]', 'networks larger than `/8`'],
    ['api.trusted_proxies: ["::/00"]', 'networks larger than `/8`'],
    ['api.trusted_proxies: [0.0.0.0/1, 128.0.0.0/1]', 'networks larger than `/8`'],
    ['api.trusted_proxies: ["2000::/3"]', 'networks larger than `/8`'],
    ['api.trusted_proxies: ["::ffff:0:0/96"]', 'networks larger than `/8`'],
    ['api.trusted_proxies: ["::ffff:0.0.0.0/96"]', 'networks larger than `/8`'],
    ['feeds.allowed_private_networks: [0.0.0.0/0]', '`/0` would be every address'],
    ['ssh.allowed_networks: ["::/0"]', '`/0` would be every address'],
    ["api.public_url: https://x'$(id)'", 'a URL like `https://plimsoll.example.org`'],
    ['api.public_url: https://user@x.example', 'without user, query or fragment'],
    ['api.public_url: "https://x.example/?a=1"', 'without user, query or fragment'],
    ['api.public_url: ftp://x.example', 'a URL like `https://plimsoll.example.org`'],
    ['queue.prefix: plimsoll', 'a word in braces'],
    ['ssh.sealing_keys_file: 1', 'the path of a file, but is 1'],
    ['ssh.sealing_keys_file: "a\\0b"', 'the path of a file'],
    ['ssh.connect_timeout_seconds: 121', 'a whole number from 1 to 120, but is 121'],
    ['ssh.pull_timeout_seconds: 9', 'a whole number from 10 to 3600, but is 9'],
    ['ssh_worker.concurrency: 0', 'a whole number from 1 to 1000, but is 0'],
    ['ssh.allowed_networks: [169.254.0.0/16, here]', 'a list of IP addresses or networks'],
    ['queue.backend: kafka', 'one of `auto`, `redis`, `postgres`, but is "kafka"'],
    ['api.host: "a host"', 'an IP address or a host name'],
  ])('of kind (%s) say what is accepted', (fileText, said) => {
    expect(mistakesOf(() => load({}, fileText))[0]?.message).toContain(said);
  });

  it('never show a secret', () => {
    const env = { PLIMSOLL_API_JWT_SECRET_KEY: 'hunter2', DATABASE_URL: 'mysql://root:hunter2@db' };
    const mistakes = mistakesOf(() => load(env, 'redis.url: [hunter2]'));
    expect(mistakes.map(({ key }) => key).sort()).toEqual([
      'api.jwt_secret_key',
      'database.url',
      'redis.url',
    ]);
    expect(JSON.stringify(mistakes)).not.toContain('hunter2');
  });

  it.each([
    ['PLIMSOLL_FEEDS_BASE_URL', 'ftp://me:hunter2@mirror.lan/'],
    ['PLIMSOLL_FEEDS_URLS', 'debian-osv:https://me:hunter2@mirror.lan/'],
    ['PLIMSOLL_FEEDS_PROXY', 'socks5://me:hunter2@proxy.lan'],
  ])('never show credentials in the address of a feed: %s', (name, value) => {
    const mistakes = mistakesOf(() => load({ [name]: value }));
    expect(mistakes).toHaveLength(1);
    expect(JSON.stringify(mistakes)).not.toContain('hunter2');
  });

  it('count the bytes of a secret, not its characters', () => {
    expect(load({ API_JWT_SECRET_KEY: 'ü'.repeat(16) })['api.jwt_secret_key']).toHaveLength(16);
  });

  it.each(['0', '3651', 'debian-osv', 'debian-osv=x', 'debian-osv=0', '3,', 'A=3'])(
    'include invalid days of feeds: %s',
    (text) => {
      const [mistake] = mistakesOf(() => load({ PLIMSOLL_FEEDS_STALE_AFTER_DAYS: text }));
      expect(mistake?.message).toContain('a list of days');
    },
  );

  it.each(settingKeys.map((key) => [key]))('include an empty %s', (key) => {
    const [mistake] = mistakesOf(() => load({ [environmentName(key)]: '' }));
    expect(mistake).toMatchObject({ key, message: 'is empty: give it a value or remove it' });
  });

  it('include a key that is set twice, once as a group and once dotted', () => {
    const mistakes = mistakesOf(() => load({}, 'api:\n  port: 1\napi.port: 2\n'));
    expect(mistakes).toEqual([{ key: 'api.port', source: 'plimsoll.yaml line 3', message: 'is set twice' }]);
  });

  it('include a file that is not YAML, with the line', () => {
    const [mistake] = mistakesOf(() => load({}, 'api:\n  port: 1\n port: 2\n'));
    expect(mistake).toMatchObject({ key: 'the file', source: 'plimsoll.yaml line 3' });
  });

  it('include a file that is not a mapping', () => {
    expect(mistakesOf(() => load({}, '- 1\n'))[0]?.message).toBe('must be a mapping of settings');
  });
});
