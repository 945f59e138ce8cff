import { type Operation, operationIds, operationOf } from '@plimsoll/contract';
import type { Response } from 'supertest';
import { advisoryFleetPerFile } from './advisory-fleet.ts';
import { adminEmail, adminPassword } from './api-under-test.ts';
import { seededRandom } from './history/seeded-random.ts';
import { urlText, valueFor } from './schema-values.ts';
import { addUser } from './users.ts';

/** Requests per operation: few here; `FUZZ_REQUESTS=10000 FUZZ_SEED=7` for a long run (npm run test:fuzz). */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 12);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
jest.setTimeout(120_000 + requests * 2_000);

const fleet = advisoryFleetPerFile();
/** By kind of caller; undefined: anonymous. */
const tokens = new Map<string, string | undefined>();

beforeAll(equip);

/** Gives each kind of caller a credential; again if a request has ended them. */
async function equip(): Promise<void> {
  const { body } = await fleet.api.post('/api/v1/auth/login', {
    json: { email: adminEmail, password: adminPassword },
  });
  fleet.api.admin.token = body.token;
  const add = async (role: string, tags: readonly string[] | null) =>
    (await addUser(fleet.api, role, { tags })).token;
  tokens.set('anonymous', undefined);
  tokens.set('host', fleet.hosts.get('alpha')?.token);
  tokens.set('admin', await add('admin', null));
  tokens.set('operator', await add('operator', null));
  tokens.set('limited viewer', await add('viewer', ['web']));
}

/** Streams of events do not end. */
const fuzzed = operationIds.filter((id) => id !== 'streamEvents');

it.each(fuzzed)('%s answers what it documents, whatever its schema produces', async (id) => {
  const { number: random } = seededRandom(seed + operationIds.indexOf(id) * 1_000_003);
  const kinds = [...tokens.keys()];
  for (let n = 0; n < requests; n += 1) {
    const kind = kinds[n % kinds.length] ?? 'anonymous';
    const answer = await sendOne(operationOf(id), tokens.get(kind), random).catch((error: unknown) => {
      throw new Error(`request ${n} of ${id} by ${kind} with seed ${seed}: ${error}`);
    });
    expect([id, kind, n, answer.status < 500 || answer.status === 503]).toEqual([id, kind, n, true]);
    if (answer.status === 401 && kind === 'admin') await equip();
  }
});

/** A request whose values come from the schemas of its operation; the client checks the answer against the contract. */
function sendOne(operation: Operation, token: string | undefined, random: () => number): Promise<Response> {
  const { method, body, params, query } = operation;
  const values = params === null ? {} : partsOf(valueFor(params, random));
  const [host] = [...fleet.hosts.values()];
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const isKnown = operation.path.startsWith('/api/v1/hosts/{id}') && name === 'id' && random() < 0.6;
    return (isKnown ? host?.id : urlText(values[name])) || 'x';
  });
  const asked = query === null || random() < 0.2 ? {} : partsOf(valueFor(query, random));
  const text = Object.entries(asked).map(([name, value]) => `${urlText(name)}=${urlText(value)}`);
  const url = text.length === 0 ? path : `${path}?${text.join('&')}`.slice(0, 7_000);
  const credential = token === undefined ? {} : { token };
  if (method === 'get') return fleet.api.get(url, credential);
  if (method === 'delete') return fleet.api.delete(url, credential);
  const sent =
    body.kind === 'json'
      ? { json: valueFor(body.schema, random) }
      : body.kind === 'bytes'
        ? { bytes: noise(random), headers: { 'Content-Type': body.contentTypes[0] ?? '' } }
        : {};
  return fleet.api[method](url, { ...credential, ...sent });
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function noise(random: () => number): Uint8Array {
  return Uint8Array.from({ length: Math.floor(random() * 200) }, () => Math.floor(random() * 256));
}
