/** How apt names packages: by name alone where they are of the host's own architecture or of all. */
export class AptNames {
  private readonly native: string;

  /** `native` is the host's own architecture; empty if unknown. */
  constructor(native: string) {
    this.native = native;
  }

  /** The names apt may use for an installed package, the likelier first. */
  of(name: string, architecture: string): readonly string[] {
    const qualified = `${name}:${architecture}`;
    if (architecture === '' || architecture === 'all' || architecture === this.native)
      return [name, qualified];
    return this.native === '' ? [qualified, name] : [qualified];
  }

  /** What `entries` has under one of the names of an installed package; undefined if nothing. */
  find<T>(entries: ReadonlyMap<string, T>, name: string, architecture: string): T | undefined {
    for (const key of this.of(name, architecture)) {
      const entry = entries.get(key);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}

/** `libc6` of apt's `libc6:i386`. */
export function bareName(aptName: string): string {
  return aptName.split(':', 1)[0] ?? '';
}
