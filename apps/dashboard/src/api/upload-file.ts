import type { Answer, PathOf, RequestArgs } from './client.ts';
import { addressOf } from './client.ts';
import { readProblem, ServerUnreachable } from './problem.ts';
import { session } from './session.ts';

/** Callbacks of an upload. */
export interface UploadCourse {
  /** Called with the part that is sent, 0 to 1. */
  readonly onProgress: (part: number) => void;
  /** Aborts the upload, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

type QueryOf<P extends PathOf<'post'>> = NonNullable<RequestArgs<'post', P>[0]>['query'];

/**
 * Sends a file as the whole body of a request and reports progress, which fetch cannot do: it uses XMLHttpRequest.
 * Rejects as `api` does.
 */
export async function uploadFile<P extends PathOf<'post'>>(
  path: P,
  file: Blob,
  query: QueryOf<P>,
  { onProgress, signal }: UploadCourse,
): Promise<Answer<'post', P>> {
  await session.keepFresh();
  const sentWith = session.token();
  const address = addressOf(path, { query: query ?? {} });
  const first = await exchange(address, file, { onProgress, signal });
  if (first.ok) return (await first.json()) as Answer<'post', P>; // types of the contract
  const refusal = await readProblem(first);
  if (refusal.code !== 'unauthenticated' || sentWith === null) throw refusal;
  if (!(await session.replace(sentWith))) throw refusal;
  const second = await exchange(address, file, { onProgress, signal });
  if (second.ok) return (await second.json()) as Answer<'post', P>; // types of the contract
  throw await readProblem(second);
}

function exchange(address: string, file: Blob, { onProgress, signal }: UploadCourse): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    request.open('POST', address);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader('Accept', 'application/json');
    const token = session.token();
    if (token !== null) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => resolve(responseOf(request));
    request.onerror = () => reject(new ServerUnreachable({ cause: 'the connection broke' }));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop);
    if (signal.aborted) reject(signal.reason);
    else request.send(file);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['Content-Type', 'X-Request-Id', 'Retry-After']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}
