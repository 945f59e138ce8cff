/** Numbers distinct texts from 0 in order of arrival. */
export class Places {
  private readonly keys: string[] = [];
  private readonly places = new Map<string, number>();

  get size(): number {
    return this.keys.length;
  }

  /** The place of a text, a new one if it has none. */
  of(key: string): number {
    const known = this.places.get(key);
    if (known !== undefined) return known;
    this.places.set(key, this.keys.length);
    return this.keys.push(key) - 1;
  }

  find(key: string): number | null {
    return this.places.get(key) ?? null;
  }

  at(place: number): string {
    return this.keys[place] ?? '';
  }

  /** In the order of places. */
  all(): readonly string[] {
    return this.keys;
  }

  clear(): void {
    this.keys.length = 0;
    this.places.clear();
  }
}
