import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { authorizedKeysLine, parseFingerprint } from '@plimsoll/ssh';
import { type ApiUnderTest, adminEmail, enrol, setUp, startApi } from './api-under-test.ts';
import { newHost, type SshFleet, sshFleetOf } from './ssh-fleet.ts';

const hour = 3600;
const given = `SHA256:${'A'.repeat(43)}`;
const seen = `SHA256:${'B'.repeat(42)}A`;

let api: ApiUnderTest;
let token: string;
let fleet: SshFleet;

beforeAll(async () => {
  api = await startApi();
  token = await setUp(api);
  fleet = sshFleetOf(api, token);
});
afterAll(() => api.stop());

const pool = () => api.database.db.pool;
const currentHash = () => createHash('sha256').update(api.context.scripts.collector.script).digest('hex');

async function rowsOf(hostId: string): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ targets: number; pairs: number; jobs: number }>(
    `SELECT (SELECT count(*)::int FROM ssh_targets WHERE host_id = $1) AS targets,
            (SELECT count(*)::int FROM ssh_key_pairs WHERE host_id = $1) AS pairs,
            (SELECT count(*)::int FROM pull_jobs WHERE host_id = $1) AS jobs`,
    [hostId],
  );
  return { ...rows[0] };
}

async function staleAfter(hostId: string): Promise<number | undefined> {
  const contact = await api.database.db.prisma.hostContact.findUnique({ where: { hostId } });
  return contact?.staleAfterSeconds;
}

describe('a new host', () => {
  it('is approved, unknown, and comes with everything for its authorized_keys', async () => {
    const { status, body } = await fleet.create();
    expect(status).toBe(201);
    expect(body.host).toMatchObject({
      display_name: newHost.display_name,
      hostname: newHost.hostname,
      onboarding_mode: 'ssh',
      approval_status: 'approved',
      status: 'new',
      overall_action: 'unknown',
      os_family: 'unknown',
      last_seen_at: body.host.created_at,
    });
    expect(body.public_key).toMatch(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43} plimsoll$/);
    const blob = Buffer.from(body.public_key.split(' ')[1], 'base64');
    const digest = createHash('sha256').update(blob).digest('base64').replace('=', '');
    expect(body.public_key_fingerprint).toBe(`SHA256:${digest}`);
    expect(body.authorized_keys_line).toBe(authorizedKeysLine(body.public_key, currentHash()));
  });

  it('is shown with its pull settings', async () => {
    const { body } = await fleet.create({ port: 2222, frequency_minutes: 15 });
    const host = await fleet.hostOf(body.host.id);
    expect(host.ssh).toEqual({
      user: newHost.ssh_user,
      port: 2222,
      frequency_minutes: 15,
      pull_paused: false,
      next_pull_at: expect.any(String),
      failures: 0,
      unique_key_pair: false,
      public_key: body.public_key,
      public_key_fingerprint: body.public_key_fingerprint,
      authorized_keys_line: body.authorized_keys_line,
      collector_pin: null,
      collector_outdated: false,
      host_key_type: null,
      host_key_fingerprint: null,
      host_key_pinned_at: null,
      other_host_key: null,
    });
    // Tried within five minutes, whatever its interval.
    expect(Date.parse(host.ssh.next_pull_at) - Date.parse(host.created_at)).toBeLessThan(5 * 60_000);
  });

  it("gets the installation's key pair, or its own", async () => {
    const shared = await Promise.all([fleet.create(), fleet.create({ unique_key_pair: false })]);
    const own = await Promise.all([
      fleet.create({ unique_key_pair: true }),
      fleet.create({ unique_key_pair: true }),
    ]);
    const keyOf = ({ body }: { body: { public_key: string } }) => body.public_key.split(' ')[1];
    expect(new Set(shared.map(keyOf)).size).toBe(1);
    expect(new Set([...shared, ...own].map(keyOf)).size).toBe(3);
    expect((await fleet.hostOf(own[0].body.host.id)).ssh).toMatchObject({
      unique_key_pair: true,
      public_key: own[0].body.public_key,
      authorized_keys_line: own[0].body.authorized_keys_line,
    });
  });

  it('has a pinned host key from the start if one is given', async () => {
    const id = await fleet.add({ host_key_fingerprint: ` ${given}=\n` });
    expect((await fleet.hostOf(id)).ssh).toMatchObject({
      host_key_type: null,
      host_key_fingerprint: given,
      host_key_pinned_at: expect.any(String),
    });
  });

  it.each([
    ['web-1.example.org.', 'web-1.example.org'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
  ])('called %s is stored as %s', async (hostname, stored) => {
    expect((await fleet.create({ hostname })).body.host.hostname).toBe(stored);
  });

  it.each([
    [{ display_name: '' }, '/display_name'],
    [{ hostname: '-oProxyCommand=id' }, '/hostname'],
    [{ hostname: 'a;b' }, '/hostname'],
    [{ hostname: '$(x)' }, '/hostname'],
    [{ hostname: 'root@web-1' }, '/hostname'],
    [{ hostname: 'web-1:22' }, '/hostname'],
    [{ ssh_user: '-l' }, '/ssh_user'],
    [{ ssh_user: '$(id)' }, '/ssh_user'],
    [{ frequency_minutes: 4 }, '/frequency_minutes'],
    [{ frequency_minutes: 10_081 }, '/frequency_minutes'],
    [{ port: 0 }, '/port'],
    [{ port: 65_536 }, '/port'],
    [{ unique_key_pair: 'yes' }, '/unique_key_pair'],
    [
      { host_key_fingerprint: 'MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48' },
      '/host_key_fingerprint',
    ],
    [{ private_key: 'x' }, '/private_key'],
  ])('is not made of %j', async (json, pointer) => {
    const before = await api.database.db.prisma.host.count();
    const { status, body } = await fleet.create(json);
    expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      422,
      [pointer],
    ]);
    expect(body.detail).toMatch(/^\/\w+ .+\.$/);
    expect(await api.database.db.prisma.host.count()).toBe(before);
  });

  it('is refused with a body larger than any valid one', async () => {
    expect((await fleet.create({ display_name: 'x'.repeat(70_000) })).body.code).toBe('payload_too_large');
  });

  it.each([
    [5, 26 * hour],
    [60, 26 * hour],
    [520, 26 * hour],
    [521, 3 * 521 * 60],
    [10_080, 3 * 10_080 * 60],
  ])('that is pulled every %d minutes is stale after %d seconds', async (frequency_minutes, seconds) => {
    expect(await staleAfter(await fleet.add({ frequency_minutes }))).toBe(seconds);
  });

  it.each([
    ['Größe & mehr', 'plimsoll-Gro-e-mehr'],
    ['web-1.example.org', 'plimsoll-web-1.example.org'],
    ['a" ssh-rsa AAAA evil', 'plimsoll-a-ssh-rsa-AAAA-evil'],
    ['command="id"', 'plimsoll-command-id'],
    ['日本', 'plimsoll'],
    ['x'.repeat(200), `plimsoll-${'x'.repeat(64)}`],
  ])('called %j has a key of its own with the comment %s', async (display_name, comment) => {
    const { body } = await fleet.create({ display_name, unique_key_pair: true });
    expect(body.public_key.split(' ').slice(2)).toEqual([comment]);
    expect(body.authorized_keys_line.endsWith(` ${body.public_key}`)).toBe(true);
  });
});

it('accepts the same fingerprints as the ssh-worker', async () => {
  const texts = [given, ` ${given}=`, 'SHA256:', `SHA256:${'A'.repeat(42)}B`, given.toLowerCase(), seen];
  for (const host_key_fingerprint of texts) {
    const { status } = await fleet.create({ host_key_fingerprint });
    expect([host_key_fingerprint, status === 201]).toEqual([
      host_key_fingerprint,
      parseFingerprint(host_key_fingerprint) !== null,
    ]);
  }
});

describe('twenty new hosts at once', () => {
  it('share one key pair of the installation', async () => {
    const fresh = await startApi();
    try {
      const { create } = sshFleetOf(fresh, await setUp(fresh));
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => create({ display_name: `web-${n}` })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ body }) => body.public_key)).size).toBe(1);
      expect(await fresh.database.db.prisma.sshKeyPair.count()).toBe(1);
    } finally {
      await fresh.stop();
    }
  });
});

describe("a change of a host's pull settings", () => {
  const change = (id: string, json: object) => api.patch(`/api/v1/hosts/${id}`, { token, json });

  it('changes every setting, together with the name', async () => {
    const id = await fleet.add();
    const answer = await change(id, {
      display_name: 'Renamed',
      tags: ['web'],
      ssh_user: 'CORP\\reader',
      port: 2022,
      frequency_minutes: 720,
      pull_paused: true,
    });
    expect([answer.status, answer.body.display_name, answer.body.tags]).toEqual([200, 'Renamed', ['web']]);
    expect((await fleet.hostOf(id)).ssh).toMatchObject({
      user: 'CORP\\reader',
      port: 2022,
      frequency_minutes: 720,
      pull_paused: true,
      next_pull_at: null,
    });
    expect(await staleAfter(id)).toBe(3 * 720 * 60);
  });

  it('leaves unnamed settings unchanged', async () => {
    const id = await fleet.add({ port: 2222, frequency_minutes: 720 });
    const before = (await fleet.hostOf(id)).ssh;
    expect((await change(id, { display_name: 'Other' })).status).toBe(200);
    expect((await fleet.hostOf(id)).ssh).toEqual(before);
    await change(id, { pull_paused: true });
    await change(id, { pull_paused: false });
    expect((await fleet.hostOf(id)).ssh).toEqual({ ...before, next_pull_at: expect.any(String) });
    expect(await staleAfter(id)).toBe(3 * 720 * 60);
  });

  it.each([
    [{ ssh_user: 'a b' }, '/ssh_user'],
    [{ port: 70_000 }, '/port'],
    [{ frequency_minutes: 1 }, '/frequency_minutes'],
    [{ pull_paused: 1 }, '/pull_paused'],
    [{ hostname: 'other' }, '/hostname'],
    [{ unique_key_pair: true }, '/unique_key_pair'],
    [{ host_key_fingerprint: given }, '/host_key_fingerprint'],
  ])('is not %j', async (json, pointer) => {
    const { status, body } = await change(await fleet.add(), json);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it.each([{ ssh_user: 'root' }, { port: 22 }, { frequency_minutes: 60 }, { pull_paused: false }])(
    '%j of a host that is not pulled is refused, and its name stays as well',
    async (json) => {
      const { id } = await enrol(api, token, { hostname: 'agent-1' });
      const answer = await change(id, { ...json, display_name: 'Renamed', tags: ['x'] });
      expect([answer.status, answer.body.code]).toEqual([409, 'not_an_ssh_host']);
      expect(await fleet.hostOf(id)).toMatchObject({ display_name: 'agent-1', tags: [], ssh: null });
    },
  );
});

describe('the key of a host that changed', () => {
  const accept = (id: string, fingerprint: string) =>
    api.post(`/api/v1/hosts/${id}/ssh/accept-host-key`, { token, json: { fingerprint } });

  it('is shown beside the pinned one, and pinned by an admin who accepts it', async () => {
    const id = await fleet.add({ host_key_fingerprint: given });
    await fleet.failPull(id, {
      code: 'host_key_mismatch',
      otherHostKey: { type: 'ssh-ed25519', fingerprint: seen },
    });
    expect((await fleet.hostOf(id)).ssh).toMatchObject({
      host_key_fingerprint: given,
      other_host_key: { type: 'ssh-ed25519', fingerprint: seen, seen_at: expect.any(String) },
      failures: 1,
    });
    const answer = await accept(id, `${seen}=`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(await fleet.hostOf(id));
    expect(answer.body.ssh).toMatchObject({
      host_key_type: 'ssh-ed25519',
      host_key_fingerprint: seen,
      other_host_key: null,
    });
    const { body: events } = await api.get('/api/v1/audit-events?action=ssh.', { token });
    const { body: me } = await api.get('/api/v1/auth/me', { token });
    expect(events.slice(0, 2)).toEqual([
      expect.objectContaining({
        id: expect.any(String),
        at: expect.any(String),
        action: 'ssh.host_key_accepted',
        actor_id: me.id,
        actor_name: adminEmail,
        ip_address: '127.0.0.1',
        host_id: id,
        host_name: newHost.display_name,
        details: { fingerprint: seen, before: given },
      }),
      expect.objectContaining({
        action: 'ssh.host_key_changed',
        actor_id: null,
        actor_name: 'ssh-worker',
        ip_address: null,
        host_id: id,
        details: { pinned: given, type: 'ssh-ed25519', fingerprint: seen },
      }),
    ]);
  });

  it('may be one that was never seen: its type is learned at the next pull', async () => {
    const id = await fleet.add();
    expect((await accept(id, given)).body.ssh).toMatchObject({
      host_key_type: null,
      host_key_fingerprint: given,
      host_key_pinned_at: expect.any(String),
    });
  });

  it('is not accepted without a fingerprint, or for a host that is not pulled', async () => {
    const id = await fleet.add();
    for (const json of [{}, { fingerprint: 'x' }, { fingerprint: given, type: 'ssh-rsa' }]) {
      expect((await api.post(`/api/v1/hosts/${id}/ssh/accept-host-key`, { token, json })).status).toBe(422);
    }
    const agent = await enrol(api, token);
    expect((await accept(agent.id, given)).body.code).toBe('not_an_ssh_host');
  });
});

describe('a rotated key', () => {
  const rotate = (id: string) => api.post(`/api/v1/hosts/${id}/ssh/rotate-key`, { token });

  it('is a new one for this host only, and the old one is tried too until the new one has worked', async () => {
    const created = await fleet.create();
    const { id } = created.body.host;
    const { status, body } = await rotate(id);
    expect([status, body.host.id]).toEqual([200, id]);
    expect(body.public_key).not.toBe(created.body.public_key);
    expect(body.authorized_keys_line).toBe(authorizedKeysLine(body.public_key, currentHash()));
    expect((await fleet.hostOf(id)).ssh).toMatchObject({
      unique_key_pair: true,
      public_key: body.public_key,
      public_key_fingerprint: body.public_key_fingerprint,
      authorized_keys_line: body.authorized_keys_line,
    });
    const run = await fleet.begin((await fleet.pullNow(id)).body.id);
    expect(run.keyPairs).toHaveLength(2);
    await fleet.succeed(run);
    expect((await fleet.begin((await fleet.pullNow(id)).body.id)).keyPairs).toHaveLength(1);
    // The other hosts still have the installation's pair.
    expect((await fleet.create()).body.public_key).toBe(created.body.public_key);
    const { body: events } = await api.get('/api/v1/audit-events?limit=1&action=ssh.', { token });
    expect(events).toEqual([
      expect.objectContaining({
        action: 'ssh.key_rotated',
        actor_name: adminEmail,
        host_id: id,
        details: {},
      }),
    ]);
  });

  it('that is rotated again and again leaves at most two pairs', async () => {
    const id = await fleet.add({ unique_key_pair: true });
    for (let n = 0; n < 3; n += 1) expect((await rotate(id)).status).toBe(200);
    expect((await rowsOf(id))['pairs']).toBe(2);
  });

  it('is refused for a host that is not pulled', async () => {
    const { id } = await enrol(api, token);
    expect((await rotate(id)).body.code).toBe('not_an_ssh_host');
  });
});

describe('a deleted host', () => {
  it('is deleted with its target, its pulls and its own key pairs, and the shared pair stays', async () => {
    const shared = await fleet.create();
    for (const json of [{ unique_key_pair: false }, { unique_key_pair: true }]) {
      const id = await fleet.add(json);
      await api.post(`/api/v1/hosts/${id}/ssh/rotate-key`, { token });
      expect((await fleet.pullNow(id)).status).toBe(202);
      expect(await rowsOf(id)).toEqual({ targets: 1, pairs: json.unique_key_pair ? 2 : 1, jobs: 1 });
      expect((await api.delete(`/api/v1/hosts/${id}`, { token })).status).toBe(204);
      expect(await rowsOf(id)).toEqual({ targets: 0, pairs: 0, jobs: 0 });
      for (const path of ['pull-now', 'ssh/rotate-key']) {
        expect((await api.post(`/api/v1/hosts/${id}/${path}`, { token })).status).toBe(404);
      }
    }
    expect((await fleet.create()).body.public_key).toBe(shared.body.public_key);
  });
});

describe('the collector that a line pins', () => {
  const fetchCollector = (sha256: string) => api.get(`/api/v1/collectors/${sha256}`, { token });

  it('is the newest one, is stored, and can be read by the user who pastes the line', async () => {
    const { body } = await fleet.create();
    const [, hash = ''] = / = ([0-9a-f]{64}) \]/.exec(body.authorized_keys_line) ?? [];
    expect(hash).toBe(currentHash());
    const kept = await api.context.stores.collectors.find(Buffer.from(hash, 'hex'));
    expect(kept?.version).toBe(api.context.scripts.collector.version);
    for (const written of [hash, hash.toUpperCase()]) {
      const answer = await fetchCollector(written);
      expect([answer.status, answer.headers['content-type']]).toEqual([
        200,
        'text/x-shellscript; charset=utf-8',
      ]);
      expect(answer.headers['content-disposition']).toBe(
        `attachment; filename="collector-${hash.slice(0, 12)}.sh"`,
      );
      expect(createHash('sha256').update(answer.text).digest('hex')).toBe(hash);
    }
  });

  it('may be an old one, and then the host says so', async () => {
    const script = Buffer.from('#!/bin/sh\necho old\n');
    const sha256 = createHash('sha256').update(script).digest();
    await api.context.stores.collectors.keep({ sha256, version: '0.0.1', script });
    const id = await fleet.add();
    await fleet.succeed(await fleet.begin((await fleet.pullNow(id)).body.id), sha256);
    const { ssh } = await fleet.hostOf(id);
    expect(ssh).toMatchObject({ collector_pin: sha256.toString('hex'), collector_outdated: true });
    expect(ssh.authorized_keys_line).toContain(currentHash());
    expect((await fetchCollector(ssh.collector_pin)).text).toBe(script.toString());
    await fleet.succeed(
      await fleet.begin((await fleet.pullNow(id)).body.id),
      Buffer.from(currentHash(), 'hex'),
    );
    expect((await fleet.hostOf(id)).ssh).toMatchObject({
      collector_pin: currentHash(),
      collector_outdated: false,
    });
  });

  it.each(['0'.repeat(64), 'f'.repeat(63), 'g'.repeat(64), `${'0'.repeat(64)}0`])(
    'is not found under %s',
    async (sha256) => {
      expect((await fetchCollector(sha256)).body.code).toBe('not_found');
    },
  );
});

describe('without a sealing key', () => {
  const refusals = async (given: ApiUnderTest, code: string, detail: RegExp) => {
    const { create } = sshFleetOf(given, await setUp(given));
    for (const unique_key_pair of [false, true]) {
      const answer = await create({ unique_key_pair });
      expect([answer.status, answer.body.code]).toEqual([503, code]);
      expect(answer.body.detail).toMatch(detail);
      expect(answer.text).not.toContain(given.sealingKeys.publicKeyFile);
    }
    expect(await given.database.db.prisma.host.count()).toBe(0);
    expect(await given.database.db.prisma.sshKeyPair.count()).toBe(0);
  };

  it('no host is created, and the setting is named', async () => {
    const unset = await startApi({ sealingPublicKeyFile: null });
    try {
      await refusals(unset, 'unavailable', /ssh\.sealing_public_key_file is not set/);
    } finally {
      await unset.stop();
    }
  });

  it('that is usable no host is created, and the log says why; with one, creation works at once', async () => {
    const broken = await startApi();
    const { publicKeyFile } = broken.sealingKeys;
    try {
      await rename(publicKeyFile, `${publicKeyFile}.away`);
      await refusals(broken, 'unavailable', /ssh\.sealing_public_key_file names cannot be used/);
      expect(broken.log.lines).toContainEqual(
        expect.objectContaining({
          level: 'error',
          err: expect.objectContaining({ cause: expect.objectContaining({ code: 'file_missing' }) }),
        }),
      );
      await writeFile(publicKeyFile, `x25519-public ${Buffer.alloc(32).toString('base64url')}\n`);
      const login = await broken.post('/api/v1/auth/login', {
        json: { email: adminEmail, password: 'correct horse battery staple' },
      });
      const { create } = sshFleetOf(broken, login.body.token);
      expect((await create()).body.code).toBe('unavailable');
      await rename(`${publicKeyFile}.away`, publicKeyFile);
      expect((await create({ unique_key_pair: true })).status).toBe(201);
    } finally {
      await broken.stop();
    }
  });
});
