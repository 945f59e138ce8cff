import { type HostScope, isInScope, scopeKey } from '@plimsoll/model';

/** Scopes whose answer is kept; more are answered by looking at every set again. */
const mostScopes = 200;

interface TagSet {
  readonly json: string;
  readonly tags: readonly string[];
  hosts: number;
}

const noTags: readonly string[] = [];

/** For one scope: by number of a set, whether hosts with it are in the scope. */
interface SeenSets {
  readonly scope: HostScope;
  readonly isSeen: Uint8Array;
}

/**
 * The distinct sets of tags of hosts, numbered, so that a host's tags are one number and a scope is judged once per set.
 * Numbers of sets without hosts are used again.
 */
export class TagSets {
  /** Number 0 is that of no set. */
  private readonly sets: (TagSet | null)[] = [null];
  private readonly numbers = new Map<string, number>();
  private readonly free: number[] = [];
  /** By `scopeKey`, those used last at the end. */
  private readonly seen = new Map<string, SeenSets>();

  /** The number of a set that one more host has. @param json an array of texts */
  take(json: string): number {
    const known = this.numbers.get(json);
    const set = known === undefined ? null : (this.sets[known] ?? null);
    if (known !== undefined && set !== null) {
      set.hosts += 1;
      return known;
    }
    const number = this.free.pop() ?? this.sets.length;
    const tags = JSON.parse(json) as readonly string[]; // An array of texts in the database.
    this.sets[number] = { json, tags, hosts: 1 };
    this.numbers.set(json, number);
    for (const [key, { scope, isSeen }] of this.seen) {
      if (number >= isSeen.length) this.seen.delete(key);
      else isSeen[number] = Number(isInScope(scope, tags));
    }
    return number;
  }

  /** One host fewer has a set. */
  giveBack(number: number): void {
    const set = this.sets[number];
    if (set == null) return;
    set.hosts -= 1;
    if (set.hosts > 0) return;
    this.sets[number] = null;
    this.numbers.delete(set.json);
    this.free.push(number);
  }

  /** The tags of a set, the same array for every host with it; empty for number 0. */
  tagsOf(number: number): readonly string[] {
    return this.sets[number]?.tags ?? noTags;
  }

  /** By number of a set: 1 if hosts with it are in a scope. Use it before the next `await`: it changes with the hosts. */
  seenIn(scope: HostScope): Uint8Array {
    const key = scopeKey(scope);
    const known = this.seen.get(key);
    this.seen.delete(key);
    const seen = known ?? { scope, isSeen: this.judge(scope) };
    this.seen.set(key, seen);
    if (this.seen.size > mostScopes) this.forgetOldest();
    return seen.isSeen;
  }

  /** The sets of a scope with the numbers of their hosts. */
  *inUse(scope: HostScope): Iterable<{ readonly tags: readonly string[]; readonly hosts: number }> {
    for (const set of this.sets) if (set !== null && isInScope(scope, set.tags)) yield set;
  }

  private judge(scope: HostScope): Uint8Array {
    // Room for new sets, so that a set more does not mean to judge all again.
    const isSeen = new Uint8Array(this.sets.length + Math.max(100, this.sets.length >> 2));
    for (const [number, set] of this.sets.entries()) {
      isSeen[number] = Number(set !== null && isInScope(scope, set.tags));
    }
    return isSeen;
  }

  private forgetOldest(): void {
    for (const key of this.seen.keys()) {
      this.seen.delete(key);
      return;
    }
  }
}
