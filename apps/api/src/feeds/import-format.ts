import { type ImportFormat, supportedImportFormats } from '@plimsoll/contract';
import { validationFailed } from '../http/field-errors.ts';

/**
 * The format of a file of advisories by how it begins. Throws `validation_failed` for an empty file, one that looks like
 * nothing we know, and one of a format that is not supported.
 */
export function recogniseFormat(start: Uint8Array): ImportFormat {
  const format = formatOf(start);
  if (format === null)
    throw validationFailed([
      { pointer: '/format', detail: `is needed: the file is not recognised (${supported})` },
    ]);
  if (!supportedImportFormats.some((known) => known === format)) {
    throw validationFailed([
      { pointer: '/format', detail: `is ${format}, which is not supported (${supported})` },
    ]);
  }
  return format;
}

const supported = `only ${supportedImportFormats.join(', ')} is taken`;
const firstBytes = 1024;

function formatOf(start: Uint8Array): ImportFormat | null {
  const [first, second, third, fourth] = start;
  const isZip = first === 0x50 && second === 0x4b && third === 0x03 && fourth === 0x04;
  const isGzip = first === 0x1f && second === 0x8b;
  // What is packed is seen when it is unpacked; of all formats only this one is distributed as an archive.
  if (isZip || isGzip) return 'osv';
  const text = new TextDecoder().decode(start.subarray(0, firstBytes)).trimStart();
  if (text.startsWith('<')) return 'updateinfo';
  return text.startsWith('{') || text.startsWith('[') ? 'osv' : null;
}
