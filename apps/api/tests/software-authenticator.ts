import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Where an authenticator is used: what a browser checks and passes on. */
export interface BrowserPlace {
  readonly rpId: string;
  readonly origin: string;
}

/** Options of the API, as far as an authenticator needs them. */
interface Options {
  readonly challenge: string;
}

/** How an answer differs from that of an authenticator that follows the rules. */
export interface Deviation {
  readonly counter?: number;
  readonly isVerified?: boolean;
  readonly type?: string;
}

/**
 * An authenticator with one ES256 passkey, written from WebAuthn Level 3, sections 6.1 and 6.5: it answers what a browser
 * would, also for places and challenges that a browser would refuse.
 */
export function createSoftwareAuthenticator(place: BrowserPlace) {
  const credentialId = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = credentialId.toString('base64url');
  let counter = 0;
  const answer = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key' as const,
    response,
    clientExtensionResults: {},
  });
  return {
    id,
    /** The answer of `navigator.credentials.create()`. */
    create({ challenge }: Options, at: BrowserPlace = place) {
      const attested = Buffer.concat([
        Buffer.alloc(16), // no AAGUID
        lengthOf(credentialId),
        credentialId,
        coseKey(publicKey),
      ]);
      const authData = authenticatorData(at.rpId, { flags: 0x45, counter, attested });
      const attestationObject = Buffer.concat([
        Buffer.of(0xa3),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.of(0xa0),
        cborText('authData'),
        cborBytes(authData),
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, at.origin).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      });
    },
    /** The answer of `navigator.credentials.get()`. */
    get({ challenge }: Options, at: BrowserPlace = place, deviation: Deviation = {}) {
      counter = deviation.counter ?? counter + 1;
      const flags = deviation.isVerified === false ? 0x01 : 0x05;
      const authData = authenticatorData(at.rpId, { flags, counter, attested: Buffer.alloc(0) });
      const client = clientData(deviation.type ?? 'webauthn.get', challenge, at.origin);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signed(privateKey, authData, client).toString('base64url'),
      });
    },
  };
}

/** An authenticator with one passkey. */
export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>;

function authenticatorData(
  rpId: string,
  { flags, counter, attested }: { flags: number; counter: number; attested: Buffer },
): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.of(flags), count, attested]);
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function signed(key: KeyObject, authData: Buffer, client: Buffer): Buffer {
  return sign('sha256', Buffer.concat([authData, sha256(client)]), key);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** RFC 9053, section 7.1: EC2, ES256, P-256, x and y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const coordinate = (text: string): Buffer => cborBytes(Buffer.from(text, 'base64url'));
  return Buffer.concat([
    Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21),
    coordinate(x),
    Buffer.of(0x22),
    coordinate(y),
  ]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? Buffer.of(0x58, bytes.length) : Buffer.of(0x59, ...lengthOf(bytes));
  return Buffer.concat([head, bytes]);
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}
