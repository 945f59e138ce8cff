import type { PathOf, RequestArgs } from './client.ts';
import { send } from './client.ts';

/**
 * Saves what an endpoint answers as a file: `download('/hosts.csv', { query })`. A token may stand in no address, so
 * the file is fetched with the session's and handed to the browser from memory. Named as the server says.
 */
export async function download<P extends PathOf<'get'>>(
  path: P,
  ...[request]: RequestArgs<'get', P>
): Promise<void> {
  const response = await send('get', path, {
    ...(request as Parameters<typeof send>[2]), // the contract's own types
    headers: { Accept: '*/*' },
  });
  const name = fileNameIn(response.headers.get('Content-Disposition')) ?? path.split('/').at(-1) ?? 'file';
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function fileNameIn(disposition: string | null): string | undefined {
  return /filename="([^"\\/]+)"/.exec(disposition ?? '')?.[1];
}
