import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv4 } from 'node:net';
import type { Request } from 'express';
import { sentHeaders } from '../http/request-fields.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Headers that proxies add. */
const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
  'via',
] as const;

/**
 * Whether a request may read metrics and the state of dependencies: with the token as its bearer; without a token in
 * the settings, if it comes from this machine itself and not through a proxy.
 */
export function mayMonitor(request: Request, token: string | null): boolean {
  if (token === null) return isFromHere(request);
  const [header = '', ...more] = sentHeaders(request, 'authorization');
  const sent = /^bearer +(\S+) *$/i.exec(header)?.[1];
  return sent !== undefined && more.length === 0 && timingSafeEqual(digest(sent), digest(token));
}

function isFromHere(request: Request): boolean {
  if (proxyHeaders.some((name) => request.headers[name] !== undefined)) return false;
  // An IPv4 client of a socket for both families.
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Of equal length for all texts. */
function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
