import type { Host } from '@plimsoll/contract';
import { Checkbox } from '../../../design/form/fields.tsx';
import { printable } from '../../../design/text/printable.ts';
import { useSelection } from './selection.ts';

/** Selects a host. */
export function SelectHost({ host }: { readonly host: Host }) {
  const { has, isFull, toggle } = useSelection();
  const isSelected = has(host.id);
  return (
    <Checkbox
      aria-label={`Select ${printable(host.display_name)}`}
      isSelected={isSelected}
      isDisabled={isFull && !isSelected}
      onChange={() => toggle(host)}
    />
  );
}
