import { readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { findFreePort } from '@plimsoll/embedded';
import {
  type Client,
  describeWhere,
  type EnrolledHost,
  setUpClient,
  signInClient,
  testAdmin,
  waitFor,
} from '@plimsoll/testing';
import { readComposeFile } from '../compose-file.ts';
import { debianFeed, encodedMachine } from '../pipeline/debian-machine.ts';
import { uploadsThrough } from '../pipeline/uploads.ts';
import {
  buildImages,
  type Composed,
  container,
  daemons,
  folder,
  missingForContainers,
  oldVersion,
  openComposed,
  sh,
} from './containers.ts';

/** docker-compose.yml as it is, in containers of Podman; containers.ts says what stands in for others' images. */
jest.setTimeout(1_200_000);

/** What all others need, each alone; then those together. */
const needed = ['postgres', 'redis'];
const groups = [...needed.map((name) => [name]), daemons.filter((name) => !needed.includes(name))];
/** Fills the memory of a container by two processes, so that the kernel ends all others before them. */
const eater =
  'for p in /proc/[0-9]*; do [ $p = /proc/$$ ] || echo 1000 >$p/oom_score_adj; done; tail /dev/zero & exec tail /dev/zero';

/** The commands of a document of the operations. */
const documented = (name: string, pattern: RegExp) =>
  readFileSync(path.resolve(__dirname, '../../docs/operations', name), 'utf8').match(pattern) ?? [];

const smallVolumes = { 'plimsoll-test_postgres': '512m', 'plimsoll-test_redis': '64m' };
const networkOf = (service: string) => `plimsoll-test_${readComposeFile().services[service]?.networks?.[0]}`;
const mountOf = (volume: string) => sh(`podman volume inspect --format={{.Mountpoint}} ${volume}`);

describeWhere(missingForContainers(), 'docker-compose.yml in containers', () => {
  let composed: Composed;
  let client: Client;
  let door: Server;
  let url: string;

  beforeAll(async () => {
    const ports = [await findFreePort(), await findFreePort()] as const;
    composed = await openComposed(ports, {
      PUBLISHED_PORT: `127.0.0.1:${await findFreePort()}`,
      POSTGRES_SHARED_BUFFERS: '64MB',
      PLIMSOLL_UPLOADS_BURST: '1000',
      APP_MEMORY: '512m',
      ADVISORY_WORKER_MEMORY: '1g',
      POSTGRES_MEMORY: '1g',
    });
    await composed.destroy();
    await buildImages();
    for (const [volume, size] of Object.entries(smallVolumes)) {
      await sh(`podman volume create ${volume}`);
      await sh(`mount -t tmpfs -o size=${size} tmpfs ${await mountOf(volume)}`);
    }
    await composed.up(oldVersion);
    // Passes on what clients say to Caddy by TLS.
    door = createServer(async (socket) => {
      const ca = readFileSync(folder('plimsoll-ca.pem'));
      const secured = connect({ host: '127.0.0.1', port: ports[1], servername: 'localhost', ca });
      pipeline(socket, secured, socket, () => undefined);
    });
    const port = await findFreePort();
    door.listen(port, '127.0.0.1');
    url = `http://localhost:${port}`;
    await trustCaddy();
    client = await setUpClient(url);
  });
  afterAll(async () => {
    door?.close();
    await composed?.leave();
  });

  const trustCaddy = () =>
    composed.checked(documented('tls.md', /docker compose exec .*? > plimsoll-ca\.pem/).join());
  const pidOf = (service: string) => sh(`podman inspect --format={{.State.Pid}} ${container(service)}`);
  const vulnerable = async (host: EnrolledHost) =>
    ((await client.get(`/hosts/${host.id}/packages/vulnerable`)).body as { name: string }[]).map(
      ({ name }) => name,
    );

  /** Uploads of some hosts go on during a fault. Afterwards no accepted upload is lost, listed twice or unfinished. */
  async function surviving(fault: () => Promise<unknown>): Promise<void> {
    await composed.healthy();
    const hosts = await Promise.all(['a', 'b', 'c'].map((name) => client.enrol(name)));
    const accepted = new Map<EnrolledHost, string[]>(hosts.map((host) => [host, []]));
    let mark = 0;
    const send = async () => {
      mark += 1;
      const sent = hosts.map(async (host) => {
        const uploading = client.upload(host.token, encodedMachine(String(mark)));
        const answer = await Promise.race([uploading, pause(15_000, undefined, { ref: false })]);
        if (answer?.status !== 202) throw new Error(`the upload was answered by ${answer?.status}`);
        accepted.get(host)?.push((answer.body as { snapshot_id: string }).snapshot_id);
      });
      return (await Promise.allSettled(sent)).every(({ status }) => status === 'fulfilled');
    };
    await send();
    let over = false;
    const faulted = fault().finally(() => {
      over = true;
    });
    while (!over) await Promise.all([send(), pause(1_000)]);
    await faulted;
    await composed.healthy();
    await waitFor('uploads to be accepted again', send);
    const uploads = uploadsThrough(client);
    for (const [host, ids] of accepted) {
      for (const id of ids) await uploads.ended(host.id, id);
      const listed = (await uploads.of(host.id)).map(({ id }) => id);
      expect(ids.filter((id) => listed.filter((other) => other === id).length !== 1)).toEqual([]);
      expect((await client.get(`/hosts/${host.id}/packages`)).body).toContainEqual(
        expect.objectContaining({ name: 'mark', version: `1.0-${mark}` }),
      );
    }
  }

  it('is upgraded from the old version, whose findings stay, with a backup from before', async () => {
    const host = await client.enrol('web-1');
    const uploads = uploadsThrough(client);
    const id = await uploads.send(host, encodedMachine('first'));
    expect(await uploads.ended(host.id, id)).toMatchObject({ state: 'matched' });
    expect(await client.importFeed(debianFeed())).toMatchObject({ body: { status: 'done' } });
    expect(await vulnerable(host)).toContain('openssh-server');
    await composed.checked('docker compose down', oldVersion);
    await composed.up();
    const said = await composed.checked('docker compose logs migrate');
    expect(said).toContain('The backup from before the migration is /var/lib/plimsoll/migration-backups/');
    client = await signInClient(url, testAdmin);
    expect(await vulnerable(host)).toContain('openssh-server');
    await surviving(async () => undefined);
  });

  const restarted = async (name: string, end: (pid: string) => Promise<unknown>) => {
    const pid = await pidOf(name);
    await end(pid);
    await waitFor(`${name} to be restarted`, async () => !['0', pid].includes(await pidOf(name)));
  };
  const faults: Record<string, (name: string) => Promise<unknown>> = {
    killed: (name) => restarted(name, (pid) => sh(`kill -9 ${pid}`)),
    paused: (name) => sh(`podman pause ${container(name)}; sleep 3; podman unpause ${container(name)}`),
    'cut off': (name) => {
      const ends = `${networkOf(name)} ${container(name)}`;
      return sh(`podman network disconnect ${ends}; sleep 3; podman network connect --alias=${name} ${ends}`);
    },
    'short of memory': (name) =>
      restarted(name, () => expect(sh(`podman exec ${container(name)} sh -c '${eater}'`)).rejects.toThrow()),
  };

  it.each(Object.entries(faults))('loses nothing when services are %s', async (_, fault) => {
    await surviving(async () => {
      for (const group of groups) await Promise.all(group.map(fault));
    });
  });

  it.each(Object.keys(smallVolumes))('loses nothing while volume %s is full', async (volume) => {
    await surviving(async () => {
      const filler = path.join(await mountOf(volume), 'filler');
      await sh(`dd if=/dev/zero of=${filler} bs=64k 2>/dev/null || true`);
      await pause(5_000);
      rmSync(filler);
    });
  });

  it('migrates although the database comes seconds later', async () => {
    await sh(`podman stop ${container('postgres')}`);
    const [said] = await Promise.all([
      sh(`podman start --attach ${container('migrate')}`),
      pause(5_000).then(() => sh(`podman start ${container('postgres')}`)),
    ]);
    expect(said).toContain('The database is up to date.');
    await surviving(async () => undefined);
  });

  it('is backed up while it runs, and restored in another place, by the commands of docs/operations/backup.md', async () => {
    const [backup = '', restore = '', up = ''] = documented('backup.md', /^.*docker compose [ru].*$/gm);
    const host = await client.enrol('web-2');
    const uploads = uploadsThrough(client);
    await uploads.ended(host.id, await uploads.send(host, encodedMachine('kept')));
    const before = await uploads.of(host.id);
    await surviving(() => composed.checked(backup));
    await composed.destroy();
    await composed.checked(restore);
    await composed.up('new', up.replace('--build', '--no-build'));
    await trustCaddy();
    client = await signInClient(url, testAdmin);
    expect(await uploads.of(host.id)).toEqual(before);
    expect(await vulnerable(host)).toContain('openssh-server');
    await surviving(async () => undefined);
  });
});
