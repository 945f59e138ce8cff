import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

const daySeconds = 86_400;

/** Browser features that pages of this origin may use: passkeys and copying. All others are off. */
const permissions = [
  ...[
    'accelerometer',
    'autoplay',
    'bluetooth',
    'browsing-topics',
    'camera',
    'display-capture',
    'encrypted-media',
  ],
  ...[
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
  ],
  ...['midi', 'payment', 'picture-in-picture', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
].map((feature) => `${feature}=()`);
const permissionsPolicy = [
  ...permissions,
  'clipboard-write=(self)',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
].join(', ');

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'unsafe-inline'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Set below, because it depends on the request.
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
});

/**
 * Sets the security headers of every answer: browsers must not frame, sniff, cache it or read it across origins. Over TLS,
 * of the API itself or of a trusted proxy, browsers use only https for `hstsDays` (RFC 6797); 0: the header is not sent.
 */
export function securityHeaders(hstsDays: number): RequestHandler {
  const transport = `max-age=${hstsDays * daySeconds}`;
  const fixed = [
    ['Cache-Control', 'no-store'],
    ['Permissions-Policy', permissionsPolicy],
    ...helmetHeaders(),
  ] as const;
  return (request: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of fixed) response.setHeader(name, value);
    // RFC 6797, section 7.2: never over plain http.
    if (hstsDays > 0 && request.secure) response.setHeader('Strict-Transport-Security', transport);
    next();
  };
}

/** The headers that helmet sets, which are the same for every answer: its dozen handlers need not run for each. */
function helmetHeaders(): readonly (readonly [string, string])[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  let failure: unknown = new Error('helmet did not end');
  protect(request, response, (error?: unknown) => {
    failure = error;
  });
  if (failure !== undefined) throw failure;
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]);
}
