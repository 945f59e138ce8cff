const prefix = 'plimsoll.tab.';

/** What pages keep for this tab over reloads, for one user, until the session ends. */
export const tabNotes = {
  /** What was written; undefined if there is nothing, or it is of another user or not readable. Check its shape. */
  read(name: string, userId: string): unknown {
    try {
      const note = JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null') as unknown;
      if (typeof note !== 'object' || note === null || !('user' in note) || !('value' in note))
        return undefined;
      return note.user === userId ? note.value : undefined;
    } catch {
      return undefined;
    }
  },
  /** Without a value it removes the note. Does nothing if the browser has no room for it. */
  write(name: string, userId: string, value: unknown): void {
    try {
      if (value === undefined) sessionStorage.removeItem(prefix + name);
      else sessionStorage.setItem(prefix + name, JSON.stringify({ user: userId, value }));
    } catch {
      // What was kept before is not what is shown now.
      sessionStorage.removeItem(prefix + name);
    }
  },
  /** Removes all notes. */
  clear(): void {
    const names = Array.from({ length: sessionStorage.length }, (_, n) => sessionStorage.key(n) ?? '');
    for (const name of names) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
  },
};
