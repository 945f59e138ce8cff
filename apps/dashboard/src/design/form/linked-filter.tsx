import { X } from 'lucide-react';
import { Button } from '../button.tsx';
import { printable } from '../text/printable.ts';

interface LinkedFilterProps {
  /** What it filters by, for example "Tag"; with a value, both are shown. */
  readonly words: string;
  readonly value?: string;
  readonly onRemove: () => void;
}

/** A filter that a link has set: a button that removes it. */
export function LinkedFilter({ words, value, onRemove }: LinkedFilterProps) {
  const shown = value === undefined ? words : `${words}: ${printable(value, 60)}`;
  return (
    <Button look="quiet" aria-label={`${shown}, remove this filter`} onPress={onRemove}>
      {shown} <X aria-hidden />
    </Button>
  );
}
