import { AppError } from '@plimsoll/model';
import type { Handler } from '../operation-request.ts';

/** The text is made for each request, so it never looks abandoned; RFC 9116 recommends less than a year. */
const validDays = 180;

/** GET /.well-known/security.txt */
export const getSecurityContact: Handler<'getSecurityContact'> = async ({ origin }, { settings, clock }) => {
  const { securityContact } = settings;
  if (securityContact === null) throw new AppError('not_found', 'This installation names no contact.');
  const expires = new Date(clock().getTime() + validDays * 24 * 3_600_000);
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${expires.toISOString()}`,
    `Canonical: ${origin}/.well-known/security.txt`,
    'Preferred-Languages: en',
  ];
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  return { kind: 'bytes', status: 200, type: 'text/plain; charset=utf-8', bytes };
};
