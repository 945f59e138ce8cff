import type { PathOf, RequestArgs } from './client.ts';
import { send } from './client.ts';
import { saveFile } from './save-file.ts';

/**
 * Saves the response of an endpoint as a file, under the name that the server sets: `download('/hosts.csv', { query
 * })`. Fetches it into memory because a link cannot carry the session's token.
 */
export async function download<P extends PathOf<'get'>>(
  path: P,
  ...[request]: RequestArgs<'get', P>
): Promise<void> {
  await save(
    await send('get', path, {
      ...(request as Parameters<typeof send>[2]), // types of the contract
      headers: { Accept: '*/*' },
    }),
    path,
  );
}

/** As download, for an endpoint whose request has a body. */
export async function downloadPosted<P extends PathOf<'post'>>(
  path: P,
  ...[request]: RequestArgs<'post', P>
): Promise<void> {
  await save(
    await send('post', path, {
      ...(request as Parameters<typeof send>[2]), // types of the contract
      headers: { Accept: '*/*' },
    }),
    path,
  );
}

async function save(response: Response, path: string): Promise<void> {
  const name = fileNameIn(response.headers.get('Content-Disposition')) ?? path.split('/').at(-1) ?? 'file';
  saveFile(await response.blob(), name);
}

function fileNameIn(disposition: string | null): string | undefined {
  return /filename="([^"\\/]+)"/.exec(disposition ?? '')?.[1];
}
