import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { isPersonal, operationIds, operationOf } from '@plimsoll/contract';
import { advisoryFleetPerFile } from './advisory-fleet.ts';
import { adminEmail, adminPassword } from './api-under-test.ts';

const fleet = advisoryFleetPerFile();

/** An answer as it comes over the wire: `fetch` decompresses. */
async function wire(
  path: string,
  encoding: string | null,
  { method = 'GET', json = null as object | null } = {},
) {
  const headers = {
    authorization: `Bearer ${fleet.api.admin.token}`,
    ...(encoding !== null && { 'accept-encoding': encoding }),
    ...(json !== null && { 'content-type': 'application/json' }),
  };
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const asked = request(`${fleet.api.url}/api/v1${path}`, { method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
        answer.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(json === null ? undefined : JSON.stringify(json));
    },
  );
}

const host = () => fleet.hosts.get('alpha')?.id ?? '';
const withoutTimes = (text: string) =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|urn:uuid:[\w-]+|[\w-]{36}/g, '');

it.each([
  ['all hosts', () => '/hosts'],
  ['hosts as CSV', () => '/hosts.csv'],
  ['findings as CSV', () => '/findings.csv'],
  ['hosts of a CVE as CSV', () => '/cves/CVE-2024-6387/hosts.csv'],
  ['VEX of the fleet', () => '/vex?format=csaf'],
  ['VEX of a host', () => `/hosts/${host()}/vex?format=openvex`],
  ['the SBOM', () => `/hosts/${host()}/sbom`],
  ['the inventory', () => '/inventory/ansible'],
])('%s: in gzip if the client accepts it, with the same content', async (_what, path) => {
  const plain = await wire(path(), null);
  expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
  expect(plain.headers['vary']).toContain('Accept-Encoding');
  for (const encoding of ['gzip', 'br;q=1.0, gzip;q=0.8, *;q=0.1']) {
    const packed = await wire(path(), encoding);
    expect([packed.status, packed.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(packed.headers['vary']).toContain('Accept-Encoding');
    expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
    expect(packed.headers['content-disposition']).toBe(plain.headers['content-disposition']);
    expect(withoutTimes(gunzipSync(packed.bytes).toString())).toBe(withoutTimes(plain.bytes.toString()));
  }
  for (const encoding of ['gzip;q=0', 'identity', 'br'])
    expect((await wire(path(), encoding)).headers['content-encoding']).toBeUndefined();
  const head = await wire(path(), 'gzip', { method: 'HEAD' });
  expect([head.status, head.headers['content-encoding'], head.bytes.length]).toEqual([200, 'gzip', 0]);
});

it('errors of compressed answers are readable', async () => {
  for (const path of ['/vex?format=word', '/hosts/nowhere/sbom', '/findings.csv?severity=none']) {
    const { status, headers, bytes } = await wire(path, 'gzip');
    expect([path, status >= 400, headers['content-encoding']]).toEqual([path, true, undefined]);
    expect(JSON.parse(bytes.toString()).status).toBe(status);
  }
});

it('answers with secrets are never compressed', async () => {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const answers = [
    await wire('/auth/login', 'gzip', {
      method: 'POST',
      json: { email: adminEmail, password: adminPassword },
    }),
    await wire('/api-keys', 'gzip', { method: 'POST', json: { name: 'a', role: 'viewer', expires_at } }),
    await wire('/registration-tokens', 'gzip', { method: 'POST', json: { name: 'a' } }),
  ];
  for (const { status, headers } of answers)
    expect([status < 300, headers['content-encoding']]).toEqual([true, undefined]);
});

it('only exports that every viewer may read, and the list of hosts, are compressed', () => {
  for (const id of operationIds) {
    const operation = operationOf(id);
    if (!operation.compressed) continue;
    const isExport = operation.readAudit === 'data.exported' || id === 'listHosts';
    expect([id, isExport, operation.role, operation.auth, isPersonal(operation)]).toEqual([
      id,
      true,
      'viewer',
      'user',
      false,
    ]);
  }
});
