import { AppError } from '@plimsoll/model';
import type { Request } from 'express';
import { refuseCredentialInUrl } from '../http/query.ts';
import { sentHeaders } from '../http/sent-headers.ts';

/**
 * The bearer token of a request. Throws `unauthenticated` if there is no token or more than one, `bad_request` if it is
 * in the URL.
 */
export function bearerOf(request: Request): string {
  refuseCredentialInUrl(request.originalUrl);
  const [header = '', ...more] = sentHeaders(request, 'authorization');
  const token = /^bearer +([\w.~+/=-]+) *$/i.exec(header)?.[1];
  if (token === undefined || more.length > 0) throw unauthenticated();
  return token;
}

/** The error for a request without a valid credential. */
export function unauthenticated(): AppError {
  return new AppError(
    'unauthenticated',
    'The request needs a valid token in its Authorization header. Sign in to get one.',
  );
}
