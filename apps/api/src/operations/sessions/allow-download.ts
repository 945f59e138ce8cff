import { AppError } from '@plimsoll/model';
import { addressOfDownload, downloadAt } from '../../auth/download-cookie.ts';
import { requireProof } from '../../auth/require-proof.ts';
import { parseFields, validationFailed } from '../../http/request-fields.ts';
import type { Handler } from '../operation-request.ts';

/** POST /auth/download */
export const allowDownload: Handler<'allowDownload'> = async (request, services) => {
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
  const id = await services.stores.downloads.allow({
    userId: caller.user.id,
    body: body.body === undefined ? null : JSON.stringify(body.body),
  });
  const path = addressOfDownload(id, body.path);
  return {
    kind: 'json',
    status: 200,
    headers: { 'Set-Cookie': services.downloadCookies.allow(path, caller.claims, origin) },
    body: { path },
  };
};
