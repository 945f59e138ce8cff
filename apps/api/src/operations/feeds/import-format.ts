import { validationFailed } from '../../http/request-fields.ts';

const firstBytes = 1024;

/**
 * Checks by its first bytes that a file may be one of a feed; the details are checked when it is imported. Throws
 * `validation_failed`.
 */
export function refuseUnknownFile(start: Uint8Array): void {
  if (looksKnown(start)) return;
  const detail =
    'is not recognised: a zip of JSON, JSON, JSON Lines, updateinfo XML, EPSS or lifecycle CSV is needed, plain, gzip, zstd, xz or bzip2';
  throw validationFailed([{ pointer: '', detail }]);
}

function looksKnown(start: Uint8Array): boolean {
  const signature = Buffer.from(start.subarray(0, 4)).toString('latin1');
  if (signature === 'PK\x03\x04' || signature.startsWith('\x1f\x8b')) return true;
  if (signature === '\x28\xb5\x2f\xfd' || signature === '\xfd7zX') return true;
  if (signature.startsWith('BZh')) return true;
  const text = new TextDecoder().decode(start.subarray(0, firstBytes)).trimStart().toLowerCase();
  return ['{', '[', '<', '#', 'cve,', 'version,'].some((beginning) => text.startsWith(beginning));
}
