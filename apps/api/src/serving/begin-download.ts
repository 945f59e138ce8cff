import { AppError } from '@plimsoll/model';
import type { Request, Response } from 'express';
import { mayUseCookie } from '../auth/download-cookie.ts';
import type { ApiServices } from '../context.ts';
import { originOf } from '../http/request-fields.ts';

type Services = Pick<ApiServices, 'downloadCookies' | 'settings'> & {
  readonly stores: Pick<ApiServices['stores'], 'downloads'>;
};

/** Whether a request is a download that its cookie allows. */
export function isAllowedDownload(request: Request, { downloadCookies }: Services): boolean {
  return mayUseCookie(request) && downloadCookies.read(request) !== null;
}

/** What a browser asks for with a download that was allowed. */
export interface BegunDownload {
  /** Path and query of the export, without the id of the download. */
  readonly address: string;
  /** JSON that was stored as its body; null: none. */
  readonly body: string | null;
}

/**
 * Begins the download of a request for an export with a cookie, which allows it once, whatever its answer is. Null: no cookie.
 * Throws `unauthenticated` for a download that has begun before.
 */
export async function beginDownload(
  request: Request,
  response: Response,
  { downloadCookies, settings, stores }: Services,
): Promise<BegunDownload | null> {
  if (!mayUseCookie(request)) return null;
  const header = downloadCookies.drop(request, originOf(request, settings.publicUrl));
  if (header !== null) response.setHeader('Set-Cookie', header);
  const cookie = downloadCookies.read(request);
  if (cookie === null) return null;
  const begun = await stores.downloads.begin(cookie.id);
  if (begun === null)
    throw new AppError('unauthenticated', 'This download has begun before. Start it again in the dashboard.');
  return { address: cookie.address, body: begun.body };
}
