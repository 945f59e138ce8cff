import type { Operations } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import { downloadAt, downloadSeconds } from '../../auth/download-cookie.ts';
import { requireProof } from '../../auth/require-proof.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { Handler } from '../operation-request.ts';

/** POST /auth/download */
export const allowDownload: Handler<Operations['allowDownload']> = async (request, services) => {
  const { body, caller, origin } = request;
  const operation = downloadAt(body.path);
  if (operation === null)
    throw validationFailed([
      { pointer: '/path', detail: 'must be the address of an export, as browsers write it' },
    ]);
  // Personal operations take no API key.
  if (caller.apiKey !== null) throw new AppError('forbidden', 'API keys read exports with their header.');
  requireProof(caller, operation, services.settings);
  const until = new Date(services.clock().getTime() + downloadSeconds * 1_000);
  return {
    kind: 'empty',
    status: 204,
    headers: { 'Set-Cookie': services.downloadCookies.allow(body.path, caller.claims, { until, origin }) },
  };
};
