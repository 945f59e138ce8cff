import { AppError } from '@plimsoll/model';
import type { Request } from 'express';
import { refuseCredentialInUrl } from '../http/query.ts';
import { sentHeaders } from '../http/sent-headers.ts';

/** The token of a request. Throws `unauthenticated` where there is none, or more than one, and `bad_request` for one in the URL. */
export function bearerOf(request: Request): string {
  refuseCredentialInUrl(request.originalUrl);
  const [header = '', ...more] = sentHeaders(request, 'authorization');
  const token = /^bearer +([\w.~+/=-]+) *$/i.exec(header)?.[1];
  if (token === undefined || more.length > 0) throw unauthenticated();
  return token;
}

/** For a request that shows no valid credential. */
export function unauthenticated(): AppError {
  return new AppError(
    'unauthenticated',
    'The request needs a valid token in its Authorization header. Sign in to get one.',
  );
}
