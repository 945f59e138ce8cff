import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { exchangeOf, writeAnswer } from '../http/exchange.ts';
import { type Dashboard, type DashboardFile, noncePlaceholder } from './read-dashboard.ts';

const nonceBytes = 16;
/** Names of files below it contain a hash of their content. */
const hashedFolder = '/assets/';

/**
 * Serves the dashboard's files, as .br or .gz if the browser accepts them, and its page at `/` and at every other path
 * that a browser requests as a page, because the page has its own router. Passes on all other requests.
 */
export function serveDashboard({ files, page }: Dashboard): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const file = files.get(request.path);
    if (file !== undefined) await serveFile(file, request, response);
    else if (request.path === '/' || request.path === '/index.html') servePage(page, response);
    else if (asksForPage(request)) servePage(page, response);
    else next();
  };
}

async function serveFile(file: DashboardFile, request: Request, response: Response): Promise<void> {
  const isHashed = request.path.startsWith(hashedFolder);
  response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('ETag', file.etag);
  response.vary('Accept-Encoding');
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const accepted = [...file.encoded].find(([encoding]) => request.acceptsEncodings(encoding) !== false);
  const headers: Record<string, string> = accepted === undefined ? {} : { 'Content-Encoding': accepted[0] };
  const bytes = accepted?.[1] ?? file.bytes;
  await writeAnswer(exchangeOf(response), { kind: 'bytes', status: 200, headers, type: file.type, bytes });
}

/** A path with an ending is a missing file; a path below /api/ is never a page. */
function asksForPage(request: Request): boolean {
  if (request.path.startsWith('/api/') || /\.[a-z0-9]+$/i.test(request.path)) return false;
  return request.headers.accept?.includes('text/html') === true;
}

function servePage(page: string, response: Response): void {
  const nonce = randomBytes(nonceBytes).toString('base64');
  response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce));
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page.replaceAll(noncePlaceholder, nonce));
}

/**
 * Scripts load from this origin only and are never inline; nothing loads from elsewhere. The nonce is for styles that
 * the component library adds at run time.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The dashboard's only policy, which lets no code make markup or scripts of text.
    'trusted-types default',
  ].join('; ');
}
