import { gzipSync } from 'node:zlib';
import type { UploadId } from '@plimsoll/model';
import { uploadBytes } from './agent-uploads.ts';
import type { ApiUnderTest, EnrolledHost } from './api-under-test.ts';
import { protobufTime, sampleSnapshot } from './sample-snapshot.ts';

/** New packages per upload: a day of them needs most of the allowance for new entries. */
const packagesPerUpload = 12;

/** What a hostile host sends in a day. */
export interface HostileDay {
  readonly uploads: number;
  /** Part of each text that it chooses; begins with a letter. */
  readonly mark: string;
}

/** Makes the allowance for uploads whole again, as the time until the next one would; not that for new entries. */
const waitForNext = (api: ApiUnderTest) =>
  api.database.db.pool.query('UPDATE upload_allowances SET uploads_whole_at = now(), bytes_whole_at = now()');

/**
 * Sends as many uploads as a host may in a day, each with something new everywhere, and some that are refused. Gives its
 * token back each time it is replaced. `onUpload` processes an accepted one.
 */
export async function sendHostileDay(
  api: ApiUnderTest,
  host: EnrolledHost,
  { uploads, mark }: HostileDay,
  onUpload: (id: UploadId) => Promise<void>,
): Promise<void> {
  let { token } = host;
  for (let n = 0; n < uploads; n += 1) {
    await waitForNext(api);
    if (n % 20 === 0) await age(api, host);
    const answer = await uploadBytes(api, { ...host, token }, noveltyOf(n, mark), {
      'plimsoll-new-token': 'accepted',
    });
    expect([answer.status, answer.body.detail]).toEqual([202, undefined]);
    token = answer.body.host_access_token ?? token;
    // At once, because an upload is superseded when newer ones wait.
    await onUpload(answer.body.snapshot_id);
    if (n % 10 === 0) await sendRefused(api, { ...host, token }, mark);
  }
  await sendTooMany(api, { ...host, token });
}

/** A token of a host is replaced after the interval. */
const age = (api: ApiUnderTest, { id }: EnrolledHost) =>
  api.database.db.pool.query(
    `UPDATE host_access_tokens SET created_at = created_at - interval '31 days' WHERE host_id = $1`,
    [id],
  );

/** Uploads that are no snapshot, and a registration and an upload without a valid token. */
async function sendRefused(api: ApiUnderTest, host: EnrolledHost, mark: string): Promise<void> {
  await waitForNext(api);
  const text = `hostile-refused-${mark}`;
  const bad = [Buffer.from(text), gzipSync('x'), sampleSnapshot({ packageCount: 99 })];
  for (const bytes of bad) expect((await uploadBytes(api, host, bytes)).status).toBeGreaterThanOrEqual(400);
  const json = { registration_token: text, hostname: text, machine_id: text };
  expect((await api.post('/api/v1/agent/register', { json })).status).toBe(401);
  expect((await uploadBytes(api, { ...host, token: text }, bad[0] ?? Buffer.of())).status).toBe(401);
}

/** An upload beyond the allowance. The API remembers the refusal for some seconds. */
async function sendTooMany(api: ApiUnderTest, host: EnrolledHost): Promise<void> {
  await api.database.db.pool.query(
    `UPDATE upload_allowances SET uploads_whole_at = now() + interval '1 hour' WHERE host_id = $1`,
    [host.id],
  );
  for (let n = 0; n < 3; n += 1) expect((await uploadBytes(api, host, sampleSnapshot())).status).toBe(429);
}

/** A snapshot whose every part is new. */
function noveltyOf(n: number, mark: string): Uint8Array {
  const own = (kind: string): string => `hostile-${kind}-${mark}-${n}`;
  const packages = Array.from({ length: packagesPerUpload }, (_, p) => ({
    name: `${own('package')}-${p}`,
    architecture: p % 2 === 0 ? 'amd64' : `a${n}`,
    version: `1.${n}-${p}`,
    sourceName: `${own('source')}-${p}`,
    sourceVersion: `1.${n}`,
    vendor: own('vendor'),
    suite: own('suite'),
  }));
  const kernel = { name: `linux-image-6.1.0-${n}-amd64`, version: `6.1.${n}-1` };
  const at = protobufTime(new Date());
  return sampleSnapshot({
    collectorVersion: own('collector'),
    platform: {
      osFamily: 'apt',
      ...(n % 2 === 0 ? { osId: 'debian', osVersionId: '12' } : { osId: own('os'), osVersionId: String(n) }),
      osVersion: own('version'),
      osPrettyName: own('pretty'),
      architecture: own('architecture'),
      hostname: own('hostname'),
      machineId: own('machine'),
      ipAddresses: [`192.0.2.${n % 250}`],
    },
    // One that advisories are about, so that it has findings and exposures.
    packages: [
      ...packages,
      { name: 'openssh-server', architecture: 'amd64', version: `1:9.0p1-${n}`, sourceName: 'openssh' },
      { ...kernel, architecture: 'amd64', sourceName: 'linux' },
    ],
    packageCount: packages.length + 2,
    upgradable: packages.slice(0, 3).map(({ name, architecture, version }) => ({
      name,
      architecture,
      installedVersion: version,
      candidateVersion: `2.${n}`,
      repository: own('offered'),
      suite: own('suite'),
      origin: own('origin'),
    })),
    kernel: {
      runningRelease: `6.1.0-${n + 1}-amd64`,
      runningVersion: own('kernel'),
      runningPackage: own('booted'),
    },
    services: { restartRequired: 2, toRestart: [{ name: own('service'), reason: own('reason') }] },
    repositories: [
      {
        id: own('repository'),
        url: `https://${own('url')}.example`,
        enabled: true,
        suite: own('list'),
        origin: own('list'),
      },
    ],
    moduleStreams: [{ name: own('module'), stream: own('stream'), enabled: true }],
    failures: [{ section: 'services', detail: own('failure') }],
    observed: {
      bootId: own('boot'),
      bootedAt: at,
      refreshed: [{ repositoryId: own('repository'), at, publishedAt: at, error: own('error') }],
    },
  });
}
