import type { AuditEvent } from '@plimsoll/contract';

type Detail = AuditEvent['details'][string];
type Plain = Exclude<Detail, { readonly from: unknown }>;

/** A detail of an event: a value, or an old and a new value. */
export type AuditDetail =
  | { readonly kind: 'value'; readonly name: string; readonly value: string }
  | { readonly kind: 'change'; readonly name: string; readonly from: string; readonly to: string };

/** The details of an event, in words. */
export function auditDetails(details: AuditEvent['details']): readonly AuditDetail[] {
  return Object.entries(details).map(([field, detail]) => {
    const name = field.replaceAll('_', ' ');
    return isChange(detail)
      ? { kind: 'change', name, from: wordsOf(detail.from), to: wordsOf(detail.to) }
      : { kind: 'value', name, value: wordsOf(detail) };
  });
}

/** The details on one line: `role: viewer → admin`. */
export function detailsInWords(details: AuditEvent['details']): string {
  const all = auditDetails(details).map((detail) =>
    detail.kind === 'change'
      ? `${detail.name}: ${detail.from} → ${detail.to}`
      : `${detail.name}: ${detail.value}`,
  );
  return all.length === 0 ? '–' : all.join(', ');
}

function isChange(detail: Detail): detail is Exclude<Detail, Plain> {
  return typeof detail === 'object' && detail !== null && !Array.isArray(detail);
}

function wordsOf(value: Plain): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (value === null || value === '') return 'none';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
