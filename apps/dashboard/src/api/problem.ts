/** An invalid field of a request. `pointer`: a JSON pointer into the body, such as `/email`. */
export interface FieldProblem {
  readonly pointer: string;
  readonly detail: string;
}

/** An error response of the server (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fields: readonly FieldProblem[];
  /** Seconds to wait before a retry; null if the server does not say. */
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

/** No response arrived: the server or the network is down. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';

  constructor(options: ErrorOptions) {
    super('The server does not answer.', options);
  }
}

/** Reads an error response. Total: also accepts the error page of a proxy. */
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

/** The message to show for any thrown value; includes the time to wait after too many attempts. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error);
  const fields = error.fields.map(({ pointer, detail }) => `${pointer.replace(/^\//, '')}: ${detail}`);
  const [first] = error.fields;
  // A message that only names the first field again, by its pointer, is left out.
  if (first !== undefined && error.message === `${first.pointer} ${first.detail}.`)
    return `${fields.join('; ')}.`;
  const { code, retryAfter } = error;
  const wait =
    code === 'rate_limited' && retryAfter !== null ? [`Try again in ${durationOf(retryAfter)}.`] : [];
  return [error.message, ...fields, ...wait].join(' ');
}

/** Seconds in words, rounded up: a retry that is too early fails again. */
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
