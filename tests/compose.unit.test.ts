import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type ComposeFile, type ComposeService, readComposeFile } from './compose-file.ts';
import { composeRules } from './compose-rules.ts';

const root = path.resolve(__dirname, '..');
const composeText = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');

/** A change that breaks each rule. */
const offences: Readonly<Record<string, (file: ComposeFile) => void>> = {
  'every app with a main has exactly one service, named after it; the command line those that end': ({
    services,
  }) => {
    delete services['scheduler'];
  },
  'every service of ours runs a bundle that the build makes': ({ services }) => {
    serviceOf(services, 'api').command = ['node', 'apps/dashboard/dist/main.js'];
  },
  'every environment variable is a setting, with a value it accepts, and none is missing': ({ services }) => {
    environmentOf(services, 'scheduler')['PLIMSOLL_FEED_SYNC'] = null;
  },
  'every setting reaches some service': ({ services }) => {
    delete environmentOf(services, 'advisory-worker')['PLIMSOLL_FEEDS_BASE_URL'];
  },
  'secrets have no default': ({ services }) => {
    environmentOf(services, 'postgres')['POSTGRES_PASSWORD'] = '$' + '{POSTGRES_PASSWORD:-plimsoll}';
  },
  'only the api has the key that signs tokens, and what backs it up': ({ services }) => {
    environmentOf(services, 'report-worker')['PLIMSOLL_API_JWT_SECRET_KEY'] = null;
  },
  'only the advisory-worker has addresses of mirrors, which may have passwords': ({ services }) => {
    environmentOf(services, 'scheduler')['PLIMSOLL_FEEDS_URLS'] = null;
  },
  'the ssh-worker alone reads the private key ring, the api alone the public key, and neither can write': ({
    services,
  }) => {
    serviceOf(services, 'api').volumes?.push('sealing-keys:/var/lib/plimsoll/sealing-keys:ro');
  },
  'migrate and backup alone have the password of the superuser; all others sign in as their own role, with its password alone':
    ({ services }) => {
      serviceOf(services, 'report-worker').volumes = ['database-api:/var/lib/plimsoll/database:ro'];
    },
  'no volume is shared but those with keys, and those with passwords of roles; backup has keys, too': ({
    services,
  }) => {
    serviceOf(services, 'report-worker').volumes = ['redis:/data:ro'];
  },
  'nothing runs as root, gains rights or keeps capabilities': ({ services }) => {
    delete serviceOf(services, 'redis').cap_drop;
  },
  'memory and processes of everything are limited': ({ services }) => {
    delete serviceOf(services, 'postgres').pids_limit;
  },
  'filesystems are read-only but for /tmp and declared volumes': ({ services }) => {
    serviceOf(services, 'api').volumes = ['/var/lib/plimsoll:/app/data'];
  },
  'everything that lasts is started again, has time to finish and cannot fill the disk with logs': ({
    services,
  }) => {
    delete serviceOf(services, 'postgres').restart;
  },
  'every lasting service has a healthcheck, ours one that asks the port they listen on': ({ services }) => {
    environmentOf(services, 'report-worker')['PLIMSOLL_WORKER_HEALTH_PORT'] = 9091;
  },
  'what runs once waits for the database, the apps for the migration and the queue, and for keys if they need any':
    ({ services }) => {
      delete serviceOf(services, 'ssh-worker').depends_on?.['secrets'];
    },
  'only the api is published, and Caddy under its profile; every service can be scaled': ({ services }) => {
    delete serviceOf(services, 'caddy').profiles;
  },
  'servers and the apps that need no way out stand on the internal network alone': ({ services }) => {
    serviceOf(services, 'report-worker').networks = ['backend', 'outside'];
  },
  'the api believes the network that it shares with Caddy alone, and Caddy reaches nothing else inside': ({
    services,
  }) => {
    serviceOf(services, 'redis').networks = ['backend', 'edge'];
  },
  'the queue is kept on disk and never evicts': ({ services }) => {
    serviceOf(services, 'redis').command = ['valkey-server', '--appendonly', 'yes'];
  },
  'images of others are named by their digest, but for Valkey, whose digest is pinned by Renovate': ({
    services,
  }) => {
    serviceOf(services, 'postgres').image = 'postgres:18-bookworm';
  },
  'the database is PostgreSQL 18, kept where its image keeps it': ({ services }) => {
    serviceOf(services, 'postgres').volumes = ['postgres:/var/lib/postgresql/data'];
  },
};

function serviceOf(services: ComposeFile['services'], name: string): ComposeService {
  const service = services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

function environmentOf(services: ComposeFile['services'], name: string) {
  const { environment } = serviceOf(services, name);
  if (environment === undefined) throw new Error(`${name} has no environment`);
  return environment;
}

describe.each(composeRules)('$name', ({ name, problems }) => {
  it('holds', () => expect(problems(readComposeFile())).toEqual([]));

  it('can fail', () => {
    const file = structuredClone(readComposeFile());
    offences[name]?.(file);
    expect(problems(file)).not.toEqual([]);
  });
});

describe.each([
  ['lets the api write its public key', 'api', ['sealing-public-key:/var/lib/plimsoll/sealing-public-key']],
  ['lets the ssh-worker write its ring', 'ssh-worker', ['sealing-keys:/var/lib/plimsoll/sealing-keys']],
  [
    'mounts both halves at the place of the public one',
    'api',
    ['sealing-keys:/var/lib/plimsoll/sealing-public-key:ro'],
  ],
  ['gives the scheduler the ring', 'scheduler', ['sealing-keys:/var/lib/plimsoll/sealing-keys:ro']],
  ['gives the ssh-worker none', 'ssh-worker', []],
] as const)('a file that %s', (_, name, volumes) => {
  it('is refused', () => {
    const file = structuredClone(readComposeFile());
    serviceOf(file.services, name).volumes = [...volumes];
    const rule = composeRules.find((each) => each.name.startsWith('the ssh-worker alone reads'));
    expect(rule?.problems(file)).toEqual([name]);
  });
});

it('names a missing secret instead of starting without it', () => {
  const variables = [...composeText.matchAll(/\$\{(\w+)([^}]*)\}/g)];
  const optional = variables.filter(([, , rest = '']) => !rest.startsWith(':?')).map(([, name]) => name);
  expect(optional).toEqual([
    'APP_MEMORY',
    'POSTGRES_SHARED_BUFFERS',
    'POSTGRES_MEMORY',
    'PLIMSOLL_API_TRUSTED_PROXIES',
    'PUBLISHED_PORT',
    'PLIMSOLL_DOMAIN',
    'PLIMSOLL_TLS',
    'ADVISORY_WORKER_MEMORY',
  ]);
});

it.each([
  [200, 0],
  [503, 1],
])('maps a healthcheck answer of %i to exit code %i', async (status, expected) => {
  const { services } = readComposeFile();
  const server = createServer((_request, response) => response.writeHead(status).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  for (const name of ['api', 'report-worker']) {
    const [, , option = '', code = ''] = serviceOf(services, name).healthcheck?.test ?? [];
    const probe = spawn(process.execPath, [option, code.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`)]);
    expect(await once(probe, 'exit')).toEqual([expected, null]);
  }
  server.close();
});

describe.each([
  ['gives a service a fixed name', 'report-worker', { container_name: 'report-worker' }],
  ['publishes the database', 'postgres', { ports: ['5432:5432'] }],
] as const)('a file that %s', (_, name, change) => {
  it('is refused', () => {
    const file = structuredClone(readComposeFile());
    Object.assign(serviceOf(file.services, name), structuredClone(change));
    const rule = composeRules.find((each) => each.name.startsWith('only the api is published'));
    expect(rule?.problems(file)).toEqual([name]);
  });
});

describe('the Dockerfile', () => {
  const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );

  it('copies only what exists and what .dockerignore lets through', () => {
    const letThrough = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
    expect(copies.length).toBeGreaterThan(8);
    expect(copies.filter((source) => !existsSync(path.join(root, source)))).toEqual([]);
    expect(copies.filter((source) => !letThrough.includes(`!${source}`))).toEqual([]);
  });

  it('copies everything the build depends on', () => {
    const turbo = JSON.parse(readFileSync(path.join(root, 'turbo.json'), 'utf8')) as {
      readonly globalDependencies: readonly string[];
    };
    const needed = ['package.json', 'package-lock.json', 'bootstrap.mjs', ...turbo.globalDependencies];
    expect(needed.filter((file) => !copies.includes(file.split('/')[0] ?? ''))).toEqual([]);
  });

  it('makes the folders of the volumes for the user who writes them, the private one for that user only', () => {
    const made = [
      ...dockerfile.matchAll(/install --directory --owner=node --group=node --mode=(\d+) (\S+)/g),
    ].map(([, mode, folder]) => `${folder} ${mode}`);
    const { services } = readComposeFile();
    const mountsOf = (name: string) =>
      (serviceOf(services, name).volumes ?? []).map((mount) => mount.split(':')[1]);
    const folders = mountsOf('secrets').filter((folder) => folder !== '/var/lib/plimsoll/database');
    expect(made).toEqual([`${folders[0]} 0700`, `${folders[1]} 0755`, '/var/lib/plimsoll/database 0700']);
    expect(mountsOf('migrate').filter((folder) => !dockerfile.includes(` ${folder}`))).toEqual([]);
    expect(folders[0]).toMatch(/sealing-keys$/);
  });

  it('runs no install scripts, and its stages use the Node of .nvmrc, the last one not as root', () => {
    const npmLines = dockerfile.split('\n').filter((line) => /\bnpm (ci|install|prune)\b/.test(line));
    expect(npmLines.every((line) => line.includes('--ignore-scripts'))).toBe(true);
    expect(npmLines.some((line) => line.includes('prune --omit=dev'))).toBe(true);
    const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    const major = readFileSync(path.join(root, '.nvmrc'), 'utf8').trim();
    expect(lastStage).toMatch(/^\nFROM node:/);
    const nodes = [...dockerfile.matchAll(/^FROM node:(\S+)-bookworm-slim@/gm)].map(([, tag]) => tag);
    expect(nodes).toEqual([major, major]);
    const bases = dockerfile.match(/^FROM \S+/gm) ?? [];
    expect(bases.length).toBeGreaterThan(2);
    expect(bases.filter((base) => !/@sha256:[0-9a-f]{64}$/.test(base))).toEqual([]);
    expect(lastStage).toMatch(/^USER node$/m);
  });
});

describe('a file where the name of the API could lead Caddy past the network that is believed', () => {
  it('is refused', () => {
    const file = structuredClone(readComposeFile());
    serviceOf(file.services, 'caddy').networks = ['edge', 'outside'];
    const rule = composeRules.find((each) => each.name.startsWith('the api believes'));
    expect(rule?.problems(file)).toEqual(['caddy']);
  });
});
