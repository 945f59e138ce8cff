import { AppError } from '@plimsoll/model';
import type { Request } from 'express';
import { sentHeaders } from '../http/request-fields.ts';

/** Whether an address belongs to a trusted proxy; Express makes it from `trust proxy`. */
type IsTrusted = (address: string, hop: number) => boolean;

/**
 * Throws `unauthenticated` unless a trusted proxy says that the client has the certificate of `hostname`: in one header
 * named `header`, with the name alone, upper or lower case. Null: no certificate is required.
 */
export function requireClientName(request: Request, hostname: string, header: string | null): void {
  if (header === null) return;
  const isTrusted = request.app.get('trust proxy fn') as IsTrusted; // Express documents no other way.
  const [name, ...more] = sentHeaders(request, header.toLowerCase());
  const isFromProxy = isTrusted(request.socket.remoteAddress ?? '', 0);
  const isSame = name !== undefined && more.length === 0 && name.toLowerCase() === hostname.toLowerCase();
  if (isFromProxy && isSame) return;
  throw new AppError('unauthenticated', "The request needs the host's own client certificate.");
}
