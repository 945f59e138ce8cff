import { type ErrorCode, feedFreshnesses, historyResolutions } from '@plimsoll/model';
import { errorStatuses } from './error-statuses.ts';
import { type OpenApiObject, OpenApiSchemas } from './openapi-schemas.ts';
import { isPersonal, type Operation, type OperationResponse, type ResponseHeader } from './operation.ts';
import { errorCodesOf } from './operation-errors.ts';
import { problemContentType, problemSchema } from './problem.ts';

/** Builds the OpenAPI 3.1 document of a table of operations; `version` is the API's version. */
export function openApiDocument(
  operations: Readonly<Record<string, Operation>>,
  version: string,
): OpenApiObject & { openapi: string } {
  const schemas = new OpenApiSchemas();
  const paths: { [path: string]: OpenApiObject } = {};
  for (const [operationId, operation] of Object.entries(operations)) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, {
      [operation.method]: describeOperation(operationId, operation, schemas),
    });
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Plimsoll',
      version,
      description: 'Knows the patch state of every Linux server a team runs, and says when it does not know.',
      license: { name: 'Unlicensed', identifier: 'LicenseRef-Unlicensed' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: schemas.components,
      headers: responseHeaders,
      securitySchemes: {
        user: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /auth/login.' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'From POST /api-keys. Its rights are at most those of its user.',
        },
        host: {
          type: 'http',
          scheme: 'bearer',
          description: 'The host access token of POST /agent/register.',
        },
      },
    },
  };
}

const textHeader = (description: string) => ({ description, schema: { type: 'string' } });
const countHeader = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

const responseHeaders = {
  'X-Request-Id': textHeader('Names this request in logs; echoed if the client sent a sane one.'),
  Link: textHeader('The next page, rel="next" (RFC 8288); missing on the last.'),
  'X-Total-Count': countHeader('How many entries all pages have together.'),
  'Preference-Applied': textHeader('That Prefer: wait was honoured (RFC 7240).'),
  Location: textHeader('Where the result can be read.'),
  'Content-Disposition': textHeader('The name of the file to save (RFC 6266).'),
  'Set-Cookie': textHeader(
    'The refresh token: HttpOnly, SameSite=Strict. On the way to an OpenID Connect provider the pending sign-in: HttpOnly, SameSite=Lax.',
  ),
  'Plimsoll-Epochs': {
    description:
      'Whether the version asked about was compared with its epoch; ignored: it was given without one.',
    schema: { type: 'string', enum: ['compared', 'ignored'] },
  },
  'Plimsoll-Not-Comparable': countHeader(
    'How many of the hosts of all pages have a version that could not be compared.',
  ),
  'Plimsoll-Not-Reported': countHeader(
    'How many approved hosts are not known to have the package or not: they have sent no report.',
  ),
  'Plimsoll-Gaps': textHeader(
    'Why this may be less than the truth: the `gaps` of the host, or those of any host of the list, sorted, with ", " between them; empty: there are none.',
  ),
  'Plimsoll-History-From': {
    description:
      'The start of the history. What ended before it was deleted. Absent: nothing was deleted yet.',
    schema: { type: 'string', format: 'date-time' },
  },
  'Plimsoll-Resolution': {
    description:
      'How exactly a past time is known. snapshot: by the report that counted then. day, month: its report was folded into the last one of that day or month (UTC); packages, running kernel and release are those of the time, everything else, such as fixes that were held back, is that of the kept report. Absent without a time.',
    schema: { type: 'string', enum: [...historyResolutions] },
  },
  'Plimsoll-Unknown-Hosts': countHeader(
    'The number of approved hosts of which it is not known now whether they are affected: `state=unknown` of GET /cves/{id}/hosts, all of them if the CVE is not known; of a list of findings, hosts whose findings are not all known.',
  ),
  'Plimsoll-Uncounted-Hosts': countHeader(
    'The number of approved hosts with a report that are not counted yet: they are in no row of the list.',
  ),
  'Plimsoll-Exploited-Data': {
    description:
      'The data of CISA KEV now, on which known_exploited and numbers of exploited findings rest, and due dates if the policy asks for it. never_synced: false and zero mean nothing. outdated: CVEs that were listed later count as not exploited, and findings may be due earlier than is said. Absent from answers by what was known at a past time (at), when CISA KEV may have had no data. Of a trend it is about the last day.',
    schema: { type: 'string', enum: [...feedFreshnesses] },
  },
  'Retry-After': countHeader('Seconds to wait.'),
  'WWW-Authenticate': textHeader('Bearer (RFC 6750).'),
} as const satisfies Record<
  ResponseHeader | 'X-Request-Id' | 'Retry-After' | 'WWW-Authenticate',
  OpenApiObject
>;

type HeaderName = keyof typeof responseHeaders;

function describeOperation(
  operationId: string,
  operation: Operation,
  schemas: OpenApiSchemas,
): OpenApiObject {
  const body = describeBody(operation, schemas);
  return {
    operationId,
    summary: operation.summary,
    tags: [operation.tag],
    security: securityOf(operation),
    ...(operation.role === null
      ? {}
      : {
          description: `For users with the role ${operation.role} or above${operation.fleetWide ? ' who are not limited to tags' : ''}.`,
        }),
    parameters: describeParameters(operation, schemas),
    ...(body === null ? {} : { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          describeResponse(response, schemas),
        ]),
      ),
      ...describeErrors(errorCodesOf(operation), schemas),
    },
  };
}

/** The credentials that an operation accepts, one of which suffices. */
function securityOf(operation: Operation): OpenApiObject[] {
  if (operation.auth === 'host') return [{ host: [] }];
  if (operation.auth !== 'user') return [];
  return isPersonal(operation) ? [{ user: [] }] : [{ user: [] }, { apiKey: [] }];
}

function describeParameters(operation: Operation, schemas: OpenApiSchemas): OpenApiObject[] {
  const places = [
    ['path', operation.params],
    ['query', operation.query],
    ['header', operation.headers],
  ] as const;
  const parameters = places.flatMap(([place, object]) =>
    Object.entries(object?.shape ?? {}).map(([name, schema]) => {
      const { description, ...rest } = schemas.add(schema, 'input');
      return {
        name,
        in: place,
        required: !schema.safeParse(undefined).success,
        ...(description === undefined ? {} : { description }),
        schema: rest,
      };
    }),
  );
  if (!operation.waits) return parameters;
  const prefer = {
    name: 'prefer',
    in: 'header',
    required: false,
    description: '`wait=N` delays the answer until the work is done, for N ≤ 30 seconds (RFC 7240).',
    schema: { type: 'string' },
  };
  return [...parameters, prefer];
}

function describeBody({ body }: Operation, schemas: OpenApiSchemas): OpenApiObject | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
      return {
        required: true,
        content: { 'application/json': { schema: schemas.add(body.schema, 'input') } },
      };
    case 'bytes':
      return {
        required: true,
        description: `${body.description} At most ${body.limitBytes} bytes, after any Content-Encoding (${body.encodings.join(', ')}).`,
        content: Object.fromEntries(body.contentTypes.map((type) => [type, {}])),
      };
    default:
      return body satisfies never;
  }
}

function describeResponse(response: OperationResponse, schemas: OpenApiSchemas): OpenApiObject {
  const content = {
    ...(response.json === null
      ? {}
      : { 'application/json': { schema: schemas.add(response.json, 'output') } }),
    ...Object.fromEntries(response.otherTypes.map((type) => [type, {}])),
  };
  return {
    description: response.description,
    headers: headerReferences(['X-Request-Id', ...response.headers]),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

function describeErrors(codes: readonly ErrorCode[], schemas: OpenApiSchemas): OpenApiObject {
  const statuses = [...new Set(codes.map((code) => errorStatuses[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const names = codes.filter((code) => errorStatuses[code].status === status);
      const headers: HeaderName[] = ['X-Request-Id'];
      if (status === 401) headers.push('WWW-Authenticate');
      if (status === 429 || status === 503) headers.push('Retry-After');
      const answer = {
        description: names.map((code) => `\`${code}\`: ${errorStatuses[code].title}.`).join(' '),
        headers: headerReferences(headers),
        content: { [problemContentType]: { schema: schemas.add(problemSchema, 'output') } },
      };
      return [status, answer];
    }),
  );
}

function headerReferences(names: readonly HeaderName[]): OpenApiObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
