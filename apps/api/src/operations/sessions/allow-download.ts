import type { Operations } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import { downloadAt, downloadSeconds } from '../../auth/download-cookie.ts';
import { requireProof } from '../../auth/require-proof.ts';
import { parseFields, validationFailed } from '../../http/request-fields.ts';
import type { Handler } from '../operation-request.ts';

/** POST /auth/download */
export const allowDownload: Handler<Operations['allowDownload']> = async (request, services) => {
  const { body, caller, origin } = request;
  const operation = downloadAt(body.path, body.body === undefined ? 'get' : 'post');
  if (operation === null)
    throw validationFailed([
      { pointer: '/path', detail: 'must be the address of an export, as browsers write it' },
    ]);
  // A download cannot show what is wrong with its body.
  if (operation.body.kind === 'json') parseFields(operation.body.schema, body.body);
  // Personal operations take no API key.
  if (caller.apiKey !== null) throw new AppError('forbidden', 'API keys read exports with their header.');
  requireProof(caller, operation, services.settings);
  const until = new Date(services.clock().getTime() + downloadSeconds * 1_000);
  const id = await services.stores.downloads.allow({
    userId: caller.user.id,
    body: body.body === undefined ? null : JSON.stringify(body.body),
    expiresAt: until,
  });
  const download = { id, address: body.path };
  return {
    kind: 'empty',
    status: 204,
    headers: { 'Set-Cookie': services.downloadCookies.allow(download, caller.claims, { until, origin }) },
  };
};
