import { isSignedBy, type SigningKey, signBytes, signingFingerprint } from './signing-key.ts';

/** Names of the two files that an evidence pack has besides those that its manifest lists. */
export const manifestName = 'manifest.json';
export const signatureName = 'manifest.sig';

/** The format that this version writes and reads. */
export const evidenceFormat = 'plimsoll-evidence-1';

/** A file of an evidence pack. */
export interface EvidenceFile {
  readonly name: string;
  readonly bytes: number;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
}

/** What an evidence pack consists of; its signature is over the bytes of its JSON. */
export interface EvidenceManifest {
  readonly format: typeof evidenceFormat;
  readonly made_at: string;
  readonly made_by: string;
  /** What it is about, in words. */
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  /** False: something was left out, which the pack names. */
  readonly complete: boolean;
  /** What limits the evidence, as sentences; packs of earlier versions have none here, only in evidence.json. */
  readonly notes?: readonly string[];
  /** In the order of the archive. */
  readonly files: readonly EvidenceFile[];
}

/** The bytes of a manifest and of its signature file. */
export function signManifest(
  manifest: EvidenceManifest,
  key: SigningKey,
): { readonly manifest: Buffer; readonly signature: Buffer } {
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const signature = {
    algorithm: 'Ed25519',
    public_key: key.publicBytes.toString('base64'),
    fingerprint: signingFingerprint(key.publicBytes),
    signature: signBytes(key, bytes).toString('base64'),
  };
  return { manifest: bytes, signature: Buffer.from(`${JSON.stringify(signature, null, 2)}\n`) };
}

/** A manifest whose signature was checked. */
export type CheckedManifest =
  | { readonly kind: 'signed'; readonly manifest: EvidenceManifest; readonly fingerprint: string }
  /** The signature is not over these bytes. */
  | { readonly kind: 'not_authentic'; readonly fingerprint: string }
  | { readonly kind: 'malformed'; readonly detail: string };

/** Checks the signature of a manifest against the key that its signature file has, and reads it. */
export function checkManifest(manifest: Uint8Array, signatureFile: Uint8Array): CheckedManifest {
  const signed = parsed(signatureFile);
  if (!isRecord(signed) || signed['algorithm'] !== 'Ed25519')
    return { kind: 'malformed', detail: `${signatureName} is no Ed25519 signature.` };
  const publicBytes = Buffer.from(textOf(signed['public_key']), 'base64');
  const signature = Buffer.from(textOf(signed['signature']), 'base64');
  const fingerprint = signingFingerprint(publicBytes);
  if (!isSignedBy(publicBytes, manifest, signature)) return { kind: 'not_authentic', fingerprint };
  const read = parsed(manifest);
  return isManifest(read)
    ? { kind: 'signed', manifest: read, fingerprint }
    : { kind: 'malformed', detail: `${manifestName} is not of the format ${evidenceFormat}.` };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null; // No JSON: of no format.
  }
}

function isManifest(value: unknown): value is EvidenceManifest {
  if (!isRecord(value) || value['format'] !== evidenceFormat) return false;
  const texts = ['made_at', 'made_by', 'subject', 'from', 'to'];
  const { files, notes = [] } = value as { readonly files?: unknown; readonly notes?: unknown };
  return (
    texts.every((name) => typeof value[name] === 'string') &&
    typeof value['complete'] === 'boolean' &&
    Array.isArray(notes) &&
    notes.every((note) => typeof note === 'string') &&
    Array.isArray(files) &&
    files.every(isFile)
  );
}

function isFile(value: unknown): value is EvidenceFile {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    Number.isSafeInteger(value['bytes']) &&
    /^[0-9a-f]{64}$/.test(textOf(value['sha256']))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
