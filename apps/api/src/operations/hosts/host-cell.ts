import type { Host } from '@plimsoll/contract';

/**
 * A field of a host in a table; a zero or a no of which nothing is known is empty.
 * @param of isKevKnown: whether CISA's catalog was ever synced; isDueByKev: whether the policy of due dates asks for it
 */
export function hostCell<Field extends keyof Host>(
  host: Host,
  field: Field,
  { isKevKnown, isDueByKev }: { readonly isKevKnown: boolean; readonly isDueByKev: boolean },
): Host[Field] | null {
  const restsOnKev = field === 'known_exploited_count' || (field === 'overdue_count' && isDueByKev);
  const isUnknown = (restsOnKev && !isKevKnown) || host.unknown_fields.includes(field);
  const value = host[field];
  return isUnknown && value === 0 ? null : value;
}
