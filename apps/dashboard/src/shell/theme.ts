import { useSyncExternalStore } from 'react';

/** `system`: the theme of the operating system. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'plimsoll.theme';
const listeners = new Set<() => void>();
let current = read();

function read(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? 'system';
}

function apply(): void {
  if (current === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = current;
}

apply();

/** Sets the theme of this browser. */
export function setTheme(theme: Theme): void {
  current = theme;
  localStorage.setItem(storageKey, theme);
  apply();
  for (const listener of listeners) listener();
}

/** The chosen theme. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
