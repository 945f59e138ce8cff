import type { JsonObject } from '@plimsoll/model';
import { readCsafDocument } from './read-csaf.ts';
import { readCycloneDxDocument } from './read-cyclonedx.ts';
import { readOpenVexDocument } from './read-openvex.ts';
import { TooManyStatements, type VexDocument } from './vex-document.ts';
import { objectIn, textOf } from './vex-reader.ts';

/** A VEX document, or why it cannot be read. */
export type ReadVex =
  | { readonly kind: 'vex'; readonly document: VexDocument }
  | { readonly kind: 'refused'; readonly reason: 'unknown_format' | 'too_many_statements' };

/** Reads a parsed VEX document: OpenVEX, CycloneDX or CSAF, recognised by its own fields. */
export function readVex(json: JsonObject): ReadVex {
  const read = readerOf(json);
  if (read === null) return { kind: 'refused', reason: 'unknown_format' };
  try {
    return { kind: 'vex', document: read(json) };
  } catch (error) {
    if (error instanceof TooManyStatements) return { kind: 'refused', reason: 'too_many_statements' };
    throw error;
  }
}

function readerOf(json: JsonObject): ((json: JsonObject) => VexDocument) | null {
  if (textOf(json, '@context').startsWith('https://openvex.dev/ns')) return readOpenVexDocument;
  if (textOf(json, 'bomFormat') === 'CycloneDX') return readCycloneDxDocument;
  return textOf(objectIn(json, 'document'), 'csaf_version') === '' ? null : readCsafDocument;
}
