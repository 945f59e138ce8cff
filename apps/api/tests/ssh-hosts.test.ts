import { createHash } from 'node:crypto';
import { authorizedKeysLine, parseFingerprint } from '@plimsoll/ssh';
import { apiPerFile, enrol, withAdmin } from './api-under-test.ts';
import { givenKey, newHost, type SshFleet, seenKey, sshFleetOf } from './ssh-fleet.ts';

const hour = 3600;

const api = apiPerFile();
let fleet: SshFleet;

beforeAll(async () => {
  fleet = sshFleetOf(api);
});

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
    expect(body.authorized_keys_line).toBe(authorizedKeysLine(body.public_key, fleet.collectorHash()));
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
    const id = await fleet.add({ host_key_fingerprint: ` ${givenKey}=\n` });
    expect((await fleet.hostOf(id)).ssh).toMatchObject({
      host_key_type: null,
      host_key_fingerprint: givenKey,
      host_key_pinned_at: expect.any(String),
    });
  });

  it('is stored without a dot at the end of its name', async () => {
    const { body } = await fleet.create({ hostname: 'web-1.example.org.' });
    expect(body.host.hostname).toBe('web-1.example.org');
  });

  it.each([
    [{ display_name: '' }, '/display_name'],
    [{ hostname: 'a;b' }, '/hostname'],
    [{ ssh_user: '$(id)' }, '/ssh_user'],
    [{ unique_key_pair: 'yes' }, '/unique_key_pair'],
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
  const texts = [
    givenKey,
    ` ${givenKey}=`,
    'SHA256:',
    `SHA256:${'A'.repeat(42)}B`,
    givenKey.toLowerCase(),
    seenKey,
  ];
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
    const fresh = await withAdmin();
    try {
      const { create } = sshFleetOf(fresh);
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
  const change = (id: string, json: object) => api.admin.patch(`/api/v1/hosts/${id}`, { json });

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
    [{ pull_paused: 1 }, '/pull_paused'],
    [{ hostname: 'other' }, '/hostname'],
    [{ unique_key_pair: true }, '/unique_key_pair'],
    [{ host_key_fingerprint: givenKey }, '/host_key_fingerprint'],
  ])('is not %j', async (json, pointer) => {
    const { status, body } = await change(await fleet.add(), json);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it.each([{ ssh_user: 'root' }, { port: 22 }, { frequency_minutes: 60 }, { pull_paused: false }])(
    '%j of a host that is not pulled is refused, and its name stays as well',
    async (json) => {
      const { id } = await enrol(api, { hostname: 'agent-1' });
      const answer = await change(id, { ...json, display_name: 'Renamed', tags: ['x'] });
      expect([answer.status, answer.body.code]).toEqual([409, 'not_an_ssh_host']);
      expect(await fleet.hostOf(id)).toMatchObject({ display_name: 'agent-1', tags: [], ssh: null });
    },
  );
});

describe('a deleted host', () => {
  it('is deleted with its target, its pulls and its own key pairs, and the shared pair stays', async () => {
    const shared = await fleet.create();
    for (const json of [{ unique_key_pair: false }, { unique_key_pair: true }]) {
      const id = await fleet.add(json);
      await api.admin.post(`/api/v1/hosts/${id}/ssh/rotate-key`);
      expect((await fleet.pullNow(id)).status).toBe(202);
      expect(await fleet.rowsOf(id)).toEqual({ targets: 1, pairs: json.unique_key_pair ? 2 : 1, jobs: 1 });
      expect((await api.admin.delete(`/api/v1/hosts/${id}`)).status).toBe(204);
      expect(await fleet.rowsOf(id)).toEqual({ targets: 0, pairs: 0, jobs: 0 });
      for (const path of ['pull-now', 'ssh/rotate-key']) {
        expect((await api.admin.post(`/api/v1/hosts/${id}/${path}`)).status).toBe(404);
      }
    }
    expect((await fleet.create()).body.public_key).toBe(shared.body.public_key);
  });
});

describe('the collector that a line pins', () => {
  const fetchCollector = (sha256: string) => api.admin.get(`/api/v1/collectors/${sha256}`);

  it('is the newest one, is stored, and can be read by the user who pastes the line', async () => {
    const { body } = await fleet.create();
    const [, hash = ''] = / = ([0-9a-f]{64}) \]/.exec(body.authorized_keys_line) ?? [];
    expect(hash).toBe(fleet.collectorHash());
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
    expect(ssh.authorized_keys_line).toContain(fleet.collectorHash());
    expect((await fetchCollector(ssh.collector_pin)).text).toBe(script.toString());
    await fleet.succeed(
      await fleet.begin((await fleet.pullNow(id)).body.id),
      Buffer.from(fleet.collectorHash(), 'hex'),
    );
    expect((await fleet.hostOf(id)).ssh).toMatchObject({
      collector_pin: fleet.collectorHash(),
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
