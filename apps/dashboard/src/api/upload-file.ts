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
  const sentWith = session.token();
  const response = await exchange(addressOf(path, { query: query ?? {} }), file, { onProgress, signal });
  if (response.ok) return (await response.json()) as Answer<'post', P>; // types of the contract
  const problem = await readProblem(response);
  if (problem.code === 'unauthenticated' && sentWith !== null) session.expire(sentWith);
  throw problem;
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
