import { isPersonal, type Operation, type OperationId, operationIds, operationOf } from '@plimsoll/contract';
import type { UserRole } from '@plimsoll/model';
import type { Response } from 'supertest';
import { hasRole } from '../src/auth/authenticate.ts';
import { advisoryFleetPerFile } from './advisory-fleet.ts';
import type { ApiUnderTest } from './api-under-test.ts';
import { addUser } from './users.ts';

const unknownId = '019a0000-0000-7000-8000-000000000000';
const hostPath = '/api/v1/hosts/{id}';

/** The tags of each host. The limited readers see hosts with `web` or `db`. */
const tags: Readonly<Record<string, readonly string[]>> = {
  alpha: ['db', 'web'],
  bravo: ['web'],
  charlie: ['mail'],
  delta: ['web'],
  echo: ['db'],
  foxtrot: [],
  golf: ['mail'],
  hotel: ['mail', 'web'],
};
const scope = ['db', 'web'];
/** What only the owner of a key sees as a person: the name of a private group. */
const ofThePerson = 'of-the-person';

interface Reader {
  readonly kind: 'anonymous' | 'user' | 'key' | 'host';
  readonly role: UserRole | null;
  readonly isLimited: boolean;
  token?: string;
}

const readers: Record<string, Reader> = {
  anonymous: { kind: 'anonymous', role: null, isLimited: false },
  'a host token': { kind: 'host', role: null, isLimited: false },
  'an admin': { kind: 'user', role: 'admin', isLimited: false },
  'an operator': { kind: 'user', role: 'operator', isLimited: false },
  'a viewer': { kind: 'user', role: 'viewer', isLimited: false },
  'a limited operator': { kind: 'user', role: 'operator', isLimited: true },
  'a limited viewer': { kind: 'user', role: 'viewer', isLimited: true },
  'a key of an admin': { kind: 'key', role: 'admin', isLimited: false },
  'a key of an operator': { kind: 'key', role: 'operator', isLimited: false },
  'a key of a viewer': { kind: 'key', role: 'viewer', isLimited: false },
  'a limited key of an admin': { kind: 'key', role: 'operator', isLimited: true },
  'a key of a limited operator': { kind: 'key', role: 'operator', isLimited: true },
};
const readersBy = (wanted: (reader: Reader) => boolean) =>
  Object.entries(readers).filter(([, reader]) => wanted(reader));

const fleet = advisoryFleetPerFile();
let api: ApiUnderTest;
const hostIds = new Map<string, string>();
const outside: string[] = [];
let savedPlanId: string;
const waiverIds = { own: '', shared: '' };

beforeAll(async () => {
  api = fleet.api;
  for (const [name, { id }] of fleet.hosts) {
    hostIds.set(name, id);
    const own = tags[name] ?? [];
    if (!own.some((tag) => scope.includes(tag))) outside.push(id);
    const changed = await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: own } });
    expect(changed.status).toBe(200);
  }
  const plan = { json: { name: 'Monday', filter: {} } };
  savedPlanId = (await api.admin.post('/api/v1/saved-plans', plan)).body.id;
  const ids = [...hostIds.values()];
  waiverIds.own = await addWaiver({ tags: ['web'] });
  waiverIds.shared = await addWaiver({ hosts: ids });
  for (const [name, reader] of Object.entries(readers)) await equip(name, reader);
});

/** A waiver of nothing that a host has, so that it changes no count. */
async function addWaiver(scope: object): Promise<string> {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const json = { kind: 'mitigated', packages: ['no-such-package'], reason: 'a test', expires_at, ...scope };
  const { status, body } = await api.admin.post('/api/v1/waivers', { json });
  expect(status).toBe(201);
  return body.id;
}

async function addKey(token: string, role: UserRole | null, limits: readonly string[] | null = null) {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const json = { name: 'test', role, tags: limits, expires_at };
  const { status, body } = await api.post('/api/v1/api-keys', { token, json });
  expect(status).toBe(201);
  return body.key;
}

/** Gives a reader its credential. */
async function equip(name: string, reader: Reader): Promise<void> {
  const { kind, role } = reader;
  const tags = reader.isLimited ? scope : null;
  if (kind === 'host') reader.token = fleet.hosts.get('alpha')?.token ?? '';
  else if (kind === 'user') reader.token = (await addUser(api, role ?? '', { tags })).token;
  else if (kind === 'key') {
    const isOfAdmin = name === 'a limited key of an admin';
    const owner = isOfAdmin ? api.admin : await addUser(api, role ?? '', { tags });
    const json = { name: ofThePerson, filter: { tag: ofThePerson } };
    expect((await owner.post('/api/v1/groups', { json })).status).toBe(201);
    reader.token = await addKey(owner.token, role, isOfAdmin ? scope : null);
  }
}

/** Bodies with which an operation gets further than its checks; of others it says what is missing. */
const bodies: Partial<Record<OperationId, object>> = {
  acceptHostKey: { fingerprint: `SHA256:${'A'.repeat(43)}` },
  createManualHost: { display_name: 'New', hostname: 'new.example.org', tags: ['web'] },
  createSshHost: { display_name: 'New', hostname: 'new.example.org', ssh_user: 'plimsoll', tags: ['web'] },
  createRegistrationToken: { name: 'New', tags: ['web'] },
  updateHost: { display_name: 'Renamed' },
  createWaiver: {
    kind: 'mitigated',
    packages: ['openssh'],
    tags: ['web'],
    reason: 'behind a proxy',
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  },
  updateWaiver: { reason: 'other' },
  importWaivers: { '@context': 'https://openvex.dev/ns/v0.2.0', statements: [] },
  setDuePolicy: { rules: [] },
  setExposureRules: { rules: [] },
  setOriginRules: [],
  previewOriginRules: [],
  previewDuePolicy: { rules: [] },
  setTagRules: { rules: [] },
  previewTagRules: { rules: [] },
  actOnHosts: { action: 'add_tags', tags: ['web'], filter: { q: 'no such host' } },
  exportSelectedHosts: { filter: {}, format: 'json' },
  createGroup: { name: 'New', filter: { tag: 'web' } },
  createSshHosts: {
    hosts: [{ display_name: 'New', hostname: 'new.example.org', ssh_user: 'plimsoll', tags: ['web'] }],
    check_only: true,
  },
  lookupCves: { ids: ['CVE-2024-6387'] },
  makePlan: { filter: {} },
  savePlan: { name: 'Monday', filter: {} },
};

const queries: Partial<Record<OperationId, string>> = {
  getHostVex: '?format=csaf',
  getFleetVex: '?format=csaf',
  importWaivers: `?tag=web&check_only=true&expires_at=${new Date(Date.now() + 86_400_000).toISOString()}`,
  explainPackage: '?advisory=CVE-2024-6387',
  makeEvidence: '?tag=web&from=2026-01-01T00:00:00Z',
  compareHosts: `?a=${unknownId}&b=${unknownId.replace(/0$/, '1')}`,
  getCollectorScript: '?os_family=apt',
  exportPackageHosts: '?name=openssh-server',
  listPackageHosts: '?name=openssh-server',
  listPackageNames: '?q=open',
  listAdvisories: '?affected=true&include_hosts=true',
};

function pathOf(id: OperationId, hostId: string): string {
  const path = operationOf(id)
    .path.replace(hostPath, `/api/v1/hosts/${hostId}`)
    .replace('advisories/{id}', 'advisories/DSA-5724-1')
    .replace('cves/{id}', 'cves/CVE-2024-6387')
    .replace('feeds/{id}', 'feeds/debian')
    .replace('{sha256}', '0'.repeat(64))
    .replace('{name}', 'openssh-server')
    .replace('saved-plans/{id}', `saved-plans/${savedPlanId}`)
    .replace('waivers/{id}', `waivers/${waiverIds.own}`)
    .replace(/\{\w+\}/g, unknownId);
  return path + (queries[id] ?? '');
}

async function ask(id: OperationId, reader: Reader, hostId: string): Promise<Response> {
  const { method, body } = operationOf(id);
  const token = reader.token === undefined ? {} : { token: reader.token };
  const path = pathOf(id, hostId);
  if (method === 'get') return api.get(path, token);
  if (method === 'delete') return api.delete(path, token);
  const sent =
    body.kind === 'json'
      ? { json: bodies[id] ?? {} }
      : body.kind === 'bytes'
        ? { bytes: Buffer.from('no report'), headers: { 'Content-Type': body.contentTypes[0] ?? '' } }
        : {};
  return api[method](path, { ...token, ...sent });
}

/** Why a reader may not call an operation at all; null if it may. */
function refusalOf(operation: Operation, { kind, role, isLimited }: Reader): number | null {
  switch (operation.auth) {
    case 'none':
      return null;
    case 'setup':
      return 404;
    case 'host':
      return kind === 'host' ? null : 401;
    case 'user':
      if (role === null) return 401;
      if (kind === 'key' && isPersonal(operation)) return 403;
      return hasRole(role, operation.role) && !(isLimited && operation.fleetWide) ? null : 403;
    default:
      return operation.auth satisfies never;
  }
}

const isOfHost = ({ path }: Operation) => path === hostPath || path.startsWith(`${hostPath}/`);

/** Operations that a reader may call, but for those on its own account, which have tests of their own. */
function allowed(reader: Reader): readonly OperationId[] {
  return operationIds.filter((id) => {
    const operation = operationOf(id);
    return operation.auth === 'user' && refusalOf(operation, reader) === null && !isPersonal(operation);
  });
}

/** A body without what differs between requests. */
function plain({ body }: Response): object {
  const { request_id: _, ...rest } = body;
  return rest;
}

describe.each(readersBy(() => true))('%s', (_, reader) => {
  it('is refused every operation that is not for such readers', async () => {
    for (const id of operationIds) {
      const refusal = refusalOf(operationOf(id), reader);
      if (refusal === null) continue;
      const { status } = await ask(id, reader, hostIds.get('alpha') ?? '');
      expect([id, status]).toEqual([id, refusal]);
    }
  });

  it('reaches the others, about a host that exists for it', async () => {
    for (const id of allowed(reader)) {
      if (id === 'streamEvents') continue;
      // Keys make shared groups only, see the tests of groups.
      if (id === 'createGroup' && reader.kind === 'key') continue;
      // What changes something gets its own host.
      const isRead = operationOf(id).method === 'get';
      const hostId = isRead ? (hostIds.get('alpha') ?? '') : await addHost();
      const answer = await ask(id, reader, hostId);
      expect([id, answer.status < 500 && ![401, 403].includes(answer.status)]).toEqual([id, true]);
      // The audit log has what every user did.
      if (reader.kind === 'key' && id !== 'listAuditEvents')
        expect([id, (answer.text ?? '').includes(ofThePerson)]).toEqual([id, false]);
      if (isOfHost(operationOf(id)) && !/Id\}/.test(operationOf(id).path)) {
        expect([id, answer.status === 404]).toEqual([id, false]);
      }
    }
  });
});

describe.each(readersBy(({ isLimited }) => isLimited))('%s', (_, reader) => {
  it('gets of other hosts what it gets of an unknown one', async () => {
    for (const id of allowed(reader)) {
      if (!isOfHost(operationOf(id))) continue;
      const unknown = await ask(id, reader, unknownId);
      expect([id, unknown.status]).toEqual([id, 404]);
      for (const other of outside) {
        const answer = await ask(id, reader, other);
        expect([id, answer.status, plain(answer)]).toEqual([id, 404, plain(unknown)]);
      }
    }
    for (const other of outside) {
      expect((await api.admin.get(`/api/v1/hosts/${other}`)).status).toBe(200);
    }
  });

  it('finds no other host in any answer', async () => {
    for (const id of allowed(reader)) {
      if (operationOf(id).method !== 'get' || id === 'streamEvents') continue;
      const { text = '' } = await ask(id, reader, hostIds.get('alpha') ?? '');
      for (const other of outside) expect([id, text.includes(other)]).toEqual([id, false]);
      expect([id, /charlie|foxtrot/.test(text)]).toEqual([id, false]);
    }
  });
});

describe.each(readersBy(({ isLimited, role }) => isLimited && role === 'operator'))('%s', (_, reader) => {
  it('sees of a waiver of others its own hosts alone, and cannot change it', async () => {
    const path = `/api/v1/waivers/${waiverIds.shared}`;
    const token = reader.token ?? '';
    const { body } = await api.get(path, { token });
    expect(body.hosts).toHaveLength(hostIds.size - outside.length);
    for (const other of outside) expect(body.hosts).not.toContain(other);
    expect((await api.patch(path, { token, json: { reason: 'mine' } })).status).toBe(403);
    expect((await api.delete(path, { token })).status).toBe(403);
    const hidden = `/api/v1/waivers?host=${outside[0]}`;
    expect((await api.get(hidden, { token })).body).toEqual([]);
  });
});

async function addHost(): Promise<string> {
  const json = { display_name: 'Own', hostname: 'own.example.org', tags: ['web'] };
  return (await api.admin.post('/api/v1/hosts/manual', { json })).body.id;
}
