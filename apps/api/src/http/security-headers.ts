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
  return (request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Permissions-Policy', permissionsPolicy);
    // RFC 6797, section 7.2: never over plain http.
    if (hstsDays > 0 && request.secure) response.setHeader('Strict-Transport-Security', transport);
    protect(request, response, next);
  };
}
