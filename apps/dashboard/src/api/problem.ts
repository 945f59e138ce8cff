/** What the server says of a field it refuses. `pointer` is a JSON pointer into the body: `/email`. */
export interface FieldProblem {
  readonly pointer: string;
  readonly detail: string;
}

/** A refusal of the server (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fields: readonly FieldProblem[];
  /** Seconds after which it may be tried again; null where the server does not say. */
  readonly retryAfter: number | null;

  constructor(facts: {
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly requestId: string | null;
    readonly fields: readonly FieldProblem[];
    readonly retryAfter: number | null;
  }) {
    super(facts.detail);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.fields = facts.fields;
    this.retryAfter = facts.retryAfter;
  }
}

/** No answer came: the server is down, or the network is. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';

  constructor(options: ErrorOptions) {
    super('The server does not answer.', options);
  }
}

/** Reads a refusal. Total: a proxy's own error page has an answer, too. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const body = asRecord(await response.json().catch(() => null));
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const errors = Array.isArray(body['errors']) ? body['errors'].map(asRecord) : [];
  return new ApiProblem({
    status: response.status,
    code: typeof body['code'] === 'string' ? body['code'] : 'unknown',
    detail: wordsIn(body['detail']) ?? wordsIn(body['title']) ?? `The server answered ${response.status}.`,
    requestId: response.headers.get('X-Request-Id'),
    fields: errors.map(({ pointer, detail }) => ({ pointer: String(pointer), detail: String(detail) })),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

/** What to tell a person about anything that was thrown; with the time to wait where there were too many attempts. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error);
  const fields = error.fields.map(({ pointer, detail }) => `${pointer.replace(/^\//, '')}: ${detail}`);
  const { code, retryAfter } = error;
  const wait =
    code === 'rate_limited' && retryAfter !== null ? [`Try again in ${durationOf(retryAfter)}.`] : [];
  return [error.message, ...fields, ...wait].join(' ');
}

/** Seconds in words, rounded up: a wait that is named too short would fail again. */
function durationOf(seconds: number): string {
  if (seconds < 100) return seconds === 1 ? 'a second' : `${Math.ceil(seconds)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

function wordsIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
