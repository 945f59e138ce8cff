import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { der, derTags } from './der.ts';

/** Certificates of a mirror that serves many host names, in PEM. */
export interface MirrorCertificates {
  /** The authority, which clients must trust. */
  readonly authority: string;
  /** For every host, valid now. */
  readonly valid: ServerCertificate;
  /** The same, expired a day ago. */
  readonly expired: ServerCertificate;
}

/** A certificate with its key, for `createSecureContext`. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

const dayMs = 86_400_000;
const { boolean, integer, bitString, octetString, objectId, utf8String, utcTime, sequence, set } = derTags;

// Object ids of RFC 5280 and RFC 5758.
const ecdsaWithSha256 = der(sequence, der(objectId, Buffer.from('2a8648ce3d040302', 'hex')));
const commonName = der(objectId, Buffer.from('550403', 'hex'));
const basicConstraints = der(objectId, Buffer.from('551d13', 'hex'));
const subjectAltName = der(objectId, Buffer.from('551d11', 'hex'));

/** Makes an authority and certificates for host names and IPv4 addresses (X.509, RFC 5280). */
export function createCertificates(names: readonly string[]): MirrorCertificates {
  const ca = keyPair();
  const server = keyPair();
  const issuer = nameOf('Plimsoll feed mirror');
  const now = Date.now();
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string; // A text in this format.
  const certificate = (from: number, until: number): ServerCertificate => ({
    key,
    cert: certificateOf(
      { issuer, subject: nameOf('feeds'), from, until, extension: namesExtension(names) },
      { key: server.publicKey, signedBy: ca.privateKey },
    ),
  });
  return {
    authority: certificateOf(
      {
        issuer,
        subject: issuer,
        from: now - dayMs,
        until: now + 30 * dayMs,
        extension: authorityExtension(),
      },
      { key: ca.publicKey, signedBy: ca.privateKey },
    ),
    valid: certificate(now - dayMs, now + 30 * dayMs),
    expired: certificate(now - 30 * dayMs, now - dayMs),
  };
}

function keyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

interface Subject {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly from: number;
  readonly until: number;
  readonly extension: Buffer;
}

function certificateOf(
  { issuer, subject, from, until, extension }: Subject,
  { key, signedBy }: { readonly key: KeyObject; readonly signedBy: KeyObject },
): string {
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)]);
  const body = der(
    sequence,
    der(0xa0, der(integer, Buffer.from([2]))),
    der(integer, serial),
    ecdsaWithSha256,
    issuer,
    der(sequence, timeOf(from), timeOf(until)),
    subject,
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(sequence, extension)),
  );
  const signature = sign('sha256', body, signedBy);
  const whole = der(sequence, body, ecdsaWithSha256, der(bitString, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function nameOf(text: string): Buffer {
  return der(sequence, der(set, der(sequence, commonName, der(utf8String, Buffer.from(text)))));
}

/** `YYMMDDHHMMSSZ`, for years before 2050. */
function timeOf(time: number): Buffer {
  return der(
    utcTime,
    Buffer.from(
      `${new Date(time)
        .toISOString()
        .replace(/[-:T]|\..*/g, '')
        .slice(2)}Z`,
    ),
  );
}

function authorityExtension(): Buffer {
  const isAuthority = der(sequence, der(boolean, Buffer.from([0xff])));
  return der(sequence, basicConstraints, der(boolean, Buffer.from([0xff])), der(octetString, isAuthority));
}

function namesExtension(names: readonly string[]): Buffer {
  const list = names.map((name) =>
    isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
  );
  return der(sequence, subjectAltName, der(octetString, der(sequence, ...list)));
}
