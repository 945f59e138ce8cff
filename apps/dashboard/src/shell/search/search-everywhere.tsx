import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import styles from './search.module.css';
import { SearchBox } from './search-box.tsx';
import type { SearchedPage } from './search-entries.ts';

interface SearchEverywhereProps {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly pages: readonly SearchedPage[];
}

/** The search over every page: `/`, Ctrl+K or Cmd+K opens it. */
export function SearchEverywhere({ isOpen, onOpen, pages }: SearchEverywhereProps) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return;
      event.preventDefault();
      onOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onOpen]);
  return (
    <Dialog title="Search" isOpen={isOpen} onClose={() => onOpen(false)}>
      <SearchBox pages={pages} onDone={() => onOpen(false)} />
    </Dialog>
  );
}

/** Opens the search. `isShort`: only an icon. */
export function SearchButton({
  isShort,
  onPress,
}: {
  readonly isShort: boolean;
  readonly onPress: () => void;
}) {
  const [isMac] = useState(() => /Mac|iPhone|iPad/.test(navigator.userAgent));
  if (isShort)
    return (
      <Button icon look="quiet" aria-label="Search" onPress={onPress}>
        <Search aria-hidden />
      </Button>
    );
  return (
    <div className={styles['opener']}>
      <Button onPress={onPress}>
        <Search aria-hidden /> Search <kbd aria-hidden>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
    </div>
  );
}

/** Ctrl+K and Cmd+K anywhere; `/` where it is not typed into a field. */
function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if ((ctrlKey || metaKey) && !shiftKey) return key.toLowerCase() === 'k';
  if (key !== '/' || ctrlKey || metaKey) return false;
  const place = target instanceof Element ? target : null;
  return place?.closest('input, textarea, select, [contenteditable], [role="dialog"]') === null;
}
