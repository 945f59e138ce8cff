import { rmSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '@plimsoll/embedded';
import { type Client, describeWhere, type EnrolledHost, setUpClient, waitFor } from '@plimsoll/testing';
import { debianFeed, encodedMachine } from '../pipeline/debian-machine.ts';
import { uploadsThrough } from '../pipeline/uploads.ts';
import {
  buildImages,
  type Composed,
  container,
  daemons,
  missingForContainers,
  openComposed,
  podman,
  run,
} from './containers.ts';

/** docker-compose.yml as it is, in containers of Podman: only the images of PostgreSQL and Valkey are stand-ins. */
jest.setTimeout(600_000);

const settings = {
  PUBLISHED_PORT: '',
  POSTGRES_SHARED_BUFFERS: '64MB',
  PLIMSOLL_UPLOADS_BURST: '1000',
};
const pause = (ms: number) =>
  new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), ms);
  });

describeWhere(missingForContainers(), 'docker-compose.yml in containers', () => {
  let composed: Composed;
  let client: Client;
  const mounts: string[] = [];

  beforeAll(async () => {
    settings.PUBLISHED_PORT = `127.0.0.1:${await findFreePort()}`;
    await buildImages();
    composed = await openComposed();
    await composed.leave();
    composed = await openComposed();
    for (const [name, size] of [
      ['postgres', '512m'],
      ['redis', '64m'],
    ] as const)
      mounts.push(await smallVolume(name, size));
    await composed.up('1', settings);
    client = await setUpClient(`http://${settings.PUBLISHED_PORT}`);
  });
  afterAll(async () => {
    await composed?.leave();
  });

  /** A volume with little space; the folder of its files. */
  async function smallVolume(name: string, size: string): Promise<string> {
    const place = await podman('volume', 'create', `plimsoll-test_${name}`).then((made) =>
      podman('volume', 'inspect', '--format={{.Mountpoint}}', made),
    );
    await run(['mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place]);
    return place;
  }

  const pidOf = async (service: string) =>
    Number(await podman('inspect', '--format={{.State.Pid}}', container(service)));

  /** Uploads of some hosts go on during a fault. Afterwards no accepted upload is lost, listed twice or unfinished. */
  async function surviving(fault: () => Promise<unknown>): Promise<void> {
    const hosts = await Promise.all(['a', 'b', 'c'].map((name) => client.enrol(name)));
    const accepted = new Map<EnrolledHost, string[]>(hosts.map((host) => [host, []]));
    let mark = 0;
    const send = async () => {
      mark += 1;
      const sent = hosts.map(async (host) => {
        const answer = await Promise.race([
          client.upload(host.token, encodedMachine(String(mark))),
          pause(15_000),
        ]).catch(() => undefined);
        if (answer?.status !== 202) return false;
        accepted.get(host)?.push((answer.body as { snapshot_id: string }).snapshot_id);
        return true;
      });
      return (await Promise.all(sent)).every(Boolean);
    };
    await send();
    let over = false;
    const faulted = fault().finally(() => {
      over = true;
    });
    while (!over) await Promise.all([send(), pause(400)]);
    await faulted;
    await composed.healthy();
    await waitFor('uploads to be accepted again', send);
    const uploads = uploadsThrough(client);
    for (const [host, ids] of accepted) {
      for (const id of ids) await uploads.ended(host.id, id);
      const listed = (await uploads.of(host.id)).map(({ id }) => id);
      expect(ids.filter((id) => listed.filter((other) => other === id).length !== 1)).toEqual([]);
      const packages = (await client.get(`/hosts/${host.id}/packages`)).body as {
        name: string;
        version: string;
      }[];
      expect(packages.find(({ name }) => name === 'mark')?.version).toBe(`1.0-${mark}`);
    }
  }

  it('shows the findings of an uploaded report', async () => {
    const host = await client.enrol('web-1');
    const uploads = uploadsThrough(client);
    const id = await uploads.send(host, encodedMachine('first'));
    expect(await uploads.ended(host.id, id)).toMatchObject({ state: 'matched' });
    expect(await client.importFeed(debianFeed())).toMatchObject({ body: { status: 'done' } });
    const findings = (await client.get(`/hosts/${host.id}/packages/vulnerable`)).body as { name: string }[];
    expect(findings.map(({ name }) => name)).toContain('openssh-server');
  });

  it.each(daemons)(
    'loses nothing when the container of %s is killed, paused and cut off',
    async (service) => {
      await surviving(async () => {
        const pid = await pidOf(service);
        process.kill(pid, 'SIGKILL');
        await waitFor(`${service} to be restarted`, async () => ![0, pid].includes(await pidOf(service)));
        await composed.healthy();
      });
      await surviving(async () => {
        await podman('pause', container(service));
        await pause(3_000);
        await podman('unpause', container(service));
      });
      await surviving(async () => {
        await podman('network', 'disconnect', 'plimsoll-test_backend', container(service));
        await pause(3_000);
        await podman('network', 'connect', `--alias=${service}`, 'plimsoll-test_backend', container(service));
      });
    },
  );

  it.each([0, 1])('loses nothing while volume %i, of PostgreSQL or Redis, is full', async (index) => {
    await surviving(async () => {
      const filler = path.join(mounts[index] ?? '', 'filler');
      await run(['sh', '-c', `dd if=/dev/zero of=${filler} bs=64k 2>/dev/null || true`]);
      await pause(5_000);
      rmSync(filler);
    });
  });

  it('migrates although the database comes seconds later', async () => {
    await podman('stop', container('postgres'));
    const [said] = await Promise.all([
      podman('start', '--attach', container('migrate')),
      pause(5_000).then(() => podman('start', container('postgres'))),
    ]);
    expect(said).toContain('The database is up to date.');
    await surviving(async () => undefined);
  });
});
