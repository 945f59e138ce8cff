import type { PathOf, RequestArgs } from './client.ts';
import { addressOf, api, head, send } from './client.ts';
import { followLink, saveFile } from './save-file.ts';

/** The parts of a request that a download needs. */
type DownloadRequest = Parameters<typeof send>[2];

/**
 * Lets the browser save the answer of an export, under the name that the server sets: `download('/hosts.csv', { query })`.
 * The browser reads it, so that its size does not matter, with a cookie for this one download, because a link cannot carry
 * the session's token. Resolves when the download begins; rejects if the server refuses it.
 */
export async function download<P extends PathOf<'get'>>(
  path: P,
  ...[request]: RequestArgs<'get', P>
): Promise<void> {
  const asked = request as DownloadRequest; // types of the contract
  const allowed = () => allow({ path: addressOf(path, asked ?? {}) });
  // Only what will be followed is allowed: the browser keeps the cookie until then. A link does not say why it fails. The answer
  // to HEAD neither: its problem has no body.
  const status = await head(path, asked);
  if (isSuccess(status)) return followLink(await allowed());
  if (status === forbidden) {
    // The user may have to prove who it is: the request to allow the download asks for that.
    const address = await allowed();
    if (isSuccess(await head(path, asked))) return followLink(address);
  }
  await fetchFile(path, request as never); // the same request
}

const forbidden = 403;
const isSuccess = (status: number) => status >= 200 && status < 300;

/**
 * As `download`, for an export whose request has a body, which the server keeps for the download. There is no request for
 * the head: the server checks the body when it allows the download.
 */
export async function downloadPosted<P extends PathOf<'post'>>(
  path: P,
  ...[request]: RequestArgs<'post', P>
): Promise<void> {
  const { body, ...asked } = (request ?? {}) as NonNullable<DownloadRequest>; // types of the contract
  const json = body as Record<string, unknown>; // JSON
  followLink(await allow({ path: addressOf(path, asked), body: json }));
}

/** Allows a download; resolves with the address to follow. */
async function allow(body: { path: string; body?: Record<string, unknown> }): Promise<string> {
  const allowed = await api.post('/auth/download', { body });
  // Earlier versions of the service answer without an address.
  if (typeof allowed?.path !== 'string')
    throw new Error('This page and the service are of different versions. Reload the page.');
  return allowed.path;
}

/** Saves the answer of an endpoint that is not an export: fetches it into memory. */
export async function fetchFile<P extends PathOf<'get'>>(
  path: P,
  ...[request]: RequestArgs<'get', P>
): Promise<void> {
  const response = await send('get', path, {
    ...(request as DownloadRequest), // types of the contract
    headers: { Accept: '*/*' },
  });
  const name = fileNameIn(response.headers.get('Content-Disposition')) ?? path.split('/').at(-1) ?? 'file';
  saveFile(await response.blob(), name);
}

function fileNameIn(disposition: string | null): string | undefined {
  return /filename="([^"\\/]+)"/.exec(disposition ?? '')?.[1];
}
