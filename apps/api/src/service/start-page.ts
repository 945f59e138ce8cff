import type { Request, Response } from 'express';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Plimsoll</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>Plimsoll is running</h1>
<p>It knows the patch state of every Linux server that reports to it, says why, and says when it does not know.</p>
<ul>
<li><a href="/api/v1/openapi.json">The API as OpenAPI 3.1</a></li>
<li><a href="/readyz">Whether everything it needs is there</a></li>
</ul>
</html>
`;

/** Tells a browser that the service runs. */
export function serveStartPage(_request: Request, response: Response): void {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page);
}
