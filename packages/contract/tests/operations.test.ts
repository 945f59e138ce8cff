import { errorCodes } from '@plimsoll/model';
import { z } from 'zod';
import { errorCodesOf, errorStatuses, operationIds, operationOf } from '../src/index.ts';

const table = operationIds.map((id) => ({ id, operation: operationOf(id) }));

/** Returns the paths of all objects in a JSON schema that allow unknown fields; a map constrains its values. */
function openObjects(schema: unknown, path = '#'): string[] {
  if (Array.isArray(schema)) return schema.flatMap((entry, index) => openObjects(entry, `${path}/${index}`));
  if (typeof schema !== 'object' || schema === null) return [];
  const own =
    'type' in schema &&
    schema.type === 'object' &&
    !('additionalProperties' in schema && saysWhatElse(schema.additionalProperties));
  return [
    ...(own ? [path] : []),
    ...Object.entries(schema).flatMap(([key, value]) => openObjects(value, `${path}/${key}`)),
  ];
}

function saysWhatElse(additionalProperties: unknown): boolean {
  return additionalProperties === false || Object.keys(Object(additionalProperties)).length > 0;
}

describe('the operations table', () => {
  it('has every method and path once, ignoring parameter names', () => {
    const routes = table.map(
      ({ operation }) => `${operation.method} ${operation.path.replace(/\{\w+\}/g, '{}')}`,
    );
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });

  it.each(table)('$id: describes exactly the parameters of its path', ({ operation }) => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys(operation.params?.shape ?? {})).toEqual(inPath);
  });

  it.each(table)('$id: asks for a role exactly where it asks for a user', ({ operation }) => {
    expect(operation.role !== null).toBe(operation.auth === 'user');
  });

  it.each(table)('$id: is under /api/v1, or is one of the four outside', ({ operation }) => {
    expect(operation.path).toMatch(
      /^\/(api\/v1\/[a-zA-Z0-9{}/.-]*[a-zA-Z}]|healthz|readyz|metrics|\.well-known\/security\.txt)$/,
    );
  });

  it.each(table)('$id: succeeds with at least one status below 400', ({ operation }) => {
    const statuses = Object.keys(operation.responses).map(Number);
    expect(statuses.length).toBeGreaterThan(0);
    expect(statuses.every((status) => status >= 200 && status < 400)).toBe(true);
  });

  it.each(table)('$id: has 200 and 202 if a client can wait for it', ({ operation }) => {
    if (operation.waits) expect(Object.keys(operation.responses)).toEqual(['200', '202']);
    else expect(operation.responses[202]).toBeUndefined();
  });

  // VEX documents have three formats of others.
  it.each(table.filter(({ id }) => !['getOpenApi', 'getHostVex', 'getFleetVex'].includes(id)))(
    '$id: has strict response schemas',
    ({ operation }) => {
      const open = Object.values(operation.responses).flatMap(({ json }) =>
        json === null ? [] : openObjects(z.toJSONSchema(json, { io: 'input' })),
      );
      expect(open).toEqual([]);
    },
  );

  it.each(table)('$id: rejects unknown fields of users and ignores those of agents', ({ id, operation }) => {
    const schemas = [operation.query, operation.body.kind === 'json' ? operation.body.schema : null];
    const open = schemas.flatMap((schema) =>
      schema === null ? [] : openObjects(z.toJSONSchema(schema, { io: 'input' })),
    );
    // Browsers of the future may say more about a passkey.
    const ofUsers = open.filter((place) => !/PasskeyAnswer|NewCredential/.test(place));
    // A provider may add parameters to its answer, a VEX document may say more than is read, and the body of a download is
    // checked as that of its export.
    if (['registerAgent', 'finishOidc', 'importWaivers', 'allowDownload'].includes(id))
      expect(open).not.toEqual([]);
    else expect(ofUsers).toEqual([]);
  });

  // Reports by mail and policies have the state of CISA KEV in a field. Messages are due at another time.
  const rested = table.filter(({ id, operation }) => {
    const json = operation.responses[200]?.json ?? null;
    const schema = json === null ? '' : JSON.stringify(z.toJSONSchema(json, { io: 'input' }));
    const hasField = /"((known_exploited|overdue)\w*|due_at)":/.test(schema);
    return (
      operation.auth === 'user' &&
      hasField &&
      !/Bulletin|DuePolicy|Deliver|testChannel|sendConfirmations/.test(id)
    );
  });
  const tables = table.filter(({ id }) => ['exportHosts', 'exportFindings', 'makePlan'].includes(id));
  it.each([...rested, ...tables])(
    '$id: says beside what is exploited or due how current CISA KEV is',
    ({ operation }) => expect(operation.responses[200]?.headers).toContain('Plimsoll-Exploited-Data'),
  );

  it.each(table)('$id: can return unavailable and internal', ({ operation }) => {
    expect(errorCodesOf(operation)).toEqual(expect.arrayContaining(['unavailable', 'internal']));
  });
});

describe('the table of errors', () => {
  it('has exactly the codes of the model, each with one status and its own title', () => {
    expect(Object.keys(errorStatuses).sort()).toEqual([...errorCodes].sort());
    const entries = errorCodes.map((code) => errorStatuses[code]);
    expect(entries.every(({ status }) => status >= 400 && status < 600)).toBe(true);
    expect(new Set(entries.map(({ title }) => title)).size).toBe(errorCodes.length);
  });

  it('marks an error as retryable only if waiting can resolve it', () => {
    const retryable = errorCodes.filter((code) => errorStatuses[code].retryable);
    expect(retryable).toEqual(['rate_limited', 'unavailable', 'internal']);
  });
});
