import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import sirv from 'sirv';
import { type Dashboard, noncePlaceholder } from './read-dashboard.ts';

const nonceBytes = 16;
/** Files below it are named by a hash of what is in them. */
const hashedFolder = '/assets/';

/**
 * Serves the dashboard: its files, as .br or .gz where a browser takes them, and its one page at `/` and at every other
 * path that a browser asks a page of, since the page's own router knows what is there. Passes on everything else.
 */
export function serveDashboard({ folder, page }: Dashboard): RequestHandler {
  const files = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    extensions: [],
    setHeaders: (response, pathname) => {
      const isHashed = pathname.startsWith(hashedFolder);
      response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (request.path === '/' || request.path === '/index.html') return servePage(page, response);
    files(request, response, () => {
      if (asksForPage(request)) servePage(page, response);
      else next();
    });
  };
}

/** Paths with an ending are files that are not there, and what is below /api/ is no page whoever asks. */
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
 * Scripts come from here alone and are never inline; nothing is fetched from anywhere else. The nonce is for styles that
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
  ].join('; ');
}
