/** apt's names of packages: without the architecture for packages of the host's own architecture or `all`. */
export class AptNames {
  private readonly native: string;

  /** `native` is the host's own architecture; empty if unknown. */
  constructor(native: string) {
    this.native = native;
  }

  /** Possible apt names of an installed package, the likelier first. */
  of(name: string, architecture: string): readonly string[] {
    const qualified = `${name}:${architecture}`;
    if (architecture === '' || architecture === 'all' || architecture === this.native)
      return [name, qualified];
    return this.native === '' ? [qualified, name] : [qualified];
  }

  /** The entry under one of an installed package's apt names; undefined if there is none. */
  find<T>(entries: ReadonlyMap<string, T>, name: string, architecture: string): T | undefined {
    for (const key of this.of(name, architecture)) {
      const entry = entries.get(key);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}

/** `libc6` from apt's `libc6:i386`. */
export function bareName(aptName: string): string {
  return aptName.split(':', 1)[0] ?? '';
}
