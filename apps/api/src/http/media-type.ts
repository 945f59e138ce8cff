import type { IncomingMessage } from 'node:http';
import { type ContentEncoding, contentEncodings } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import { parse } from 'content-type';
import { sentHeaders } from './sent-headers.ts';

/** Throws `unsupported_media_type` unless the body has one of the types and, if it names a charset, UTF-8. */
export function requireContentType(request: IncomingMessage, accepted: readonly string[]): void {
  const values = sentHeaders(request, 'content-type');
  const { type, parameters } = parse(values[0] ?? '');
  const isUtf8 = /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  if (values.length === 1 && isUtf8 && accepted.includes(type.toLowerCase())) return;
  throw new AppError('unsupported_media_type', `The body must be ${accepted.join(' or ')}.`);
}

/**
 * The single content encoding of a body; null without one. Throws `unsupported_media_type` for any not in `accepted`.
 */
export function contentEncodingOf(
  request: IncomingMessage,
  accepted: readonly ContentEncoding[],
): ContentEncoding | null {
  const name = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  const known = contentEncodings.find((encoding) => encoding === (name === 'x-gzip' ? 'gzip' : name));
  if (known !== undefined && accepted.includes(known)) return known;
  const choice = accepted.length === 0 ? 'none' : `one of ${accepted.join(', ')}`;
  throw new AppError('unsupported_media_type', `The body's content encoding must be ${choice}.`);
}
