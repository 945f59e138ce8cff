import { createHash } from 'node:crypto';
import { isDownload, type Operation, operationIds, operationOf } from '@plimsoll/contract';
import { downloadSeconds, type SessionClaims } from '@plimsoll/db';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { z } from 'zod';
import { sentHeaders } from '../http/request-fields.ts';
import { createTextSeal } from '../http/text-seal.ts';

/** Cookies with which a browser downloads one export itself, without a token in its script or in an address. */
export interface DownloadCookies {
  /** The header that allows the user of a session a stored download, at its `addressOfDownload`, until the session ends. */
  allow(address: string, claims: SessionClaims, origin: string): string;
  /** The content of the cookie for the address of a request; null without one, and for requests of other pages. */
  read(request: Request): DownloadCookie | null;
  /** The header that removes the cookie for the address of a request; null if there is none. */
  drop(request: Request, origin: string): string | null;
}

/** What a cookie allows, and as whom. */
interface DownloadCookie {
  /** Of the stored download. */
  readonly id: string;
  /** The path and query of the export. */
  readonly address: string;
  readonly claims: SessionClaims;
}

const namePrefix = 'plimsoll_download_';
const claimsSchema = z.tuple([z.string(), z.uuid(), z.uuid(), z.int(), z.int()]);

/** The id of a download at the end of its address. */
const idInAddress = /[?&]download=([\da-f-]{36})$/;

/**
 * The address at which a browser gets a stored download: each has a cookie of its own, so that downloads of two tabs do not get
 * each other's files.
 */
export function addressOfDownload(id: string, address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}download=${id}`;
}

/** Cookies sealed with a key derived from the secret that signs the users' tokens. */
export function createDownloadCookies(secret: string): DownloadCookies {
  const { seal, open } = createTextSeal(secret, 'plimsoll download by a browser');
  const header = (address: string, value: string, origin: string, maxAge: number) =>
    stringifySetCookie({
      name: `${namePrefix}${idOf(address)}`,
      value,
      httpOnly: true,
      sameSite: 'strict',
      secure: origin.startsWith('https:'),
      path: new URL(address, origin).pathname,
      maxAge,
    });
  return {
    allow(address, { userId, sessionId, generation, expiresAt }, origin) {
      const end = expiresAt.getTime();
      const sealed = seal(JSON.stringify([digestOf(address), userId, sessionId, generation, end]));
      return header(address, sealed, origin, downloadSeconds);
    },
    read({ originalUrl, headers }) {
      // Browsers leave the header out without TLS; the cookie is never sent for another site.
      if (!['same-origin', undefined].includes(headers['sec-fetch-site'] as string | undefined)) return null;
      const [id, sealed] = [idOf(originalUrl), cookieFor(originalUrl, headers.cookie)];
      const text = sealed === undefined ? null : open(sealed);
      const claims = claimsSchema.safeParse(text === null ? null : JSON.parse(text));
      if (id === undefined || !claims.success || claims.data[0] !== digestOf(originalUrl)) return null;
      const [, userId, sessionId, generation, end] = claims.data;
      const address = originalUrl.replace(idInAddress, '');
      return { id, address, claims: { userId, sessionId, generation, expiresAt: new Date(end) } };
    },
    drop: ({ originalUrl, headers }, origin) =>
      cookieFor(originalUrl, headers.cookie) === undefined ? null : header(originalUrl, '', origin, 0),
  };
}

/** The download at an address without an origin; null: none, or the address is written in another way than browsers do. */
export function downloadAt(address: string, method: 'get' | 'post'): Operation | null {
  const base = 'http://localhost';
  if (!address.startsWith('/') || !URL.canParse(address, base)) return null;
  const { pathname, search } = new URL(address, base);
  if (`${pathname}${search}` !== address) return null;
  const ids = operationIds
    .filter((id) => isDownload(operationOf(id)) && operationOf(id).method === method)
    .filter((id) => hasPath(operationOf(id), pathname));
  // A path without a parameter in a place comes first, as for routes.
  const [first] = ids.map(operationOf).sort((a, b) => (a.path < b.path ? -1 : 1));
  return first ?? null;
}

function hasPath({ path }: Operation, pathname: string): boolean {
  const [wanted, given] = [path.split('/'), pathname.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, n) => (part.startsWith('{') ? given[n] !== '' : part === given[n]))
  );
}

/** Whether a request for a download may be allowed by a cookie: one without a token. */
export function mayUseCookie(request: Request): boolean {
  return request.method === 'GET' && sentHeaders(request, 'authorization').length === 0;
}

function digestOf(address: string): string {
  return createHash('sha256').update(address).digest('base64url');
}

function idOf(address: string): string | undefined {
  return idInAddress.exec(address)?.[1];
}

function cookieFor(address: string, sent: string | undefined): string | undefined {
  const id = idOf(address);
  return id === undefined ? undefined : parseCookie(sent ?? '')[`${namePrefix}${id}`];
}
