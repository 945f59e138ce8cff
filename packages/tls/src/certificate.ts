import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createSecureContext, rootCertificates } from 'node:tls';
import { TlsError } from './tls-error.ts';

/** Absolute paths of the two PEM files. */
export interface CertificateFiles {
  /** The server's own certificate first, then the chain to its authority. */
  readonly certFile: string;
  /** The private key, without a passphrase. */
  readonly keyFile: string;
}

/** A certificate that belongs to its key. */
export interface Certificate {
  /** The contents of both files, for `createServer` and `setSecureContext`. */
  readonly pem: { readonly cert: string; readonly key: string };
  /** SHA-256 of both files; equal digests mean equal files. */
  readonly digest: string;
  /** DNS names and IP addresses it is valid for, in the certificate's order. */
  readonly names: readonly string[];
  readonly issuer: string;
  /** Whether the chain in the file leads to a public authority known to Node.js. */
  readonly isPublic: boolean;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string;
}

/** Far more than any chain of certificates has. */
const limitBytes = 1024 * 1024;

/**
 * Reads a certificate with its key. Throws TlsError if a file cannot be read, is not PEM or has a passphrase, or if the
 * two do not match. An expired certificate is returned like any other.
 */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<Certificate> {
  const cert = await readText(certFile);
  const key = await readText(keyFile);
  const own = certificateOf(cert, certFile);
  if (!own.checkPrivateKey(privateKeyOf(key, keyFile))) throw mismatch(cert, key, { certFile, keyFile });
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new TlsError(`${certFile} and ${keyFile} cannot be used: ${reasonOf(cause)}.`, { cause });
  }
  return {
    pem: { cert, key },
    digest: createHash('sha256').update(cert).update('\0').update(key).digest('hex'),
    names: namesOf(own),
    issuer: own.issuer.replaceAll('\n', ', '),
    isPublic: isFromPublicAuthority(cert),
    notBefore: new Date(own.validFrom),
    notAfter: new Date(own.validTo),
    fingerprint: own.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

async function readText(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      if (size > limitBytes) throw new TlsError(`${file} is larger than 1 MiB and no PEM file.`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof TlsError) throw cause;
    throw new TlsError(`${file} cannot be read: ${reasonOf(cause)}.`, { cause });
  }
}

function certificateOf(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw new TlsError(`${file} contains no certificate in PEM form (-----BEGIN CERTIFICATE-----).`, {
      cause,
    });
  }
}

function privateKeyOf(text: string, file: string): KeyObject {
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw new TlsError(
      `${file} has a passphrase, which a service cannot enter. Write the key without one: openssl pkey -in ${file} -out KEY.`,
    );
  }
  try {
    return createPrivateKey(text);
  } catch (cause) {
    throw new TlsError(`${file} contains no private key in PEM form (-----BEGIN PRIVATE KEY-----).`, {
      cause,
    });
  }
}

/** Why the key does not match the first certificate; null if it does. */
function mismatch(cert: string, key: string, { certFile, keyFile }: CertificateFiles): TlsError {
  const privateKey = createPrivateKey(key);
  const isLater = chainOf(cert)
    .slice(1)
    .some((certificate) => certificate.checkPrivateKey(privateKey));
  return new TlsError(
    isLater
      ? `In ${certFile} the certificate of ${keyFile} is not the first: put the server's own before its authority's.`
      : `${keyFile} is not the key of the certificate in ${certFile}.`,
  );
}

/** All certificates of a PEM file, in order. */
function chainOf(text: string): readonly X509Certificate[] {
  const pems = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return pems.map((pem) => new X509Certificate(pem));
}

/** Follows the chain while each certificate was signed by the next, and looks for the last one's authority. */
function isFromPublicAuthority(text: string): boolean {
  const [own, ...others] = chainOf(text);
  let last = own;
  for (const next of others) {
    if (last === undefined || !isSignedBy(last, next)) break;
    last = next;
  }
  const end = last;
  return end !== undefined && rootCertificates.some((pem) => isSignedBy(end, new X509Certificate(pem)));
}

function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** subjectAltName as Node prints it: `DNS:a.example, IP Address:192.0.2.1`. */
function namesOf({ subjectAltName = '' }: X509Certificate): readonly string[] {
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(([, name = '']) => name);
}

/** An error's code if it has one, otherwise its message. */
function reasonOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return String(cause);
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'message' in cause ? String(cause.message) : String(cause);
}
