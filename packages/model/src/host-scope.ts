/**
 * Which hosts a reader may see: all, or those with at least one of some tags; without a tag, none. Made once, where the
 * reader is authenticated. A plain value, so that it can be sent between threads.
 */
export type HostScope =
  | { readonly kind: 'whole_fleet' }
  | { readonly kind: 'tagged'; readonly tags: readonly string[] };

/** The scope of a reader without limits: an admin, a user or API key without tags, or the service itself. */
export const wholeFleet: HostScope = { kind: 'whole_fleet' };

/** The hosts with at least one of the tags. Equal sets of tags make equal scopes. */
export function taggedHosts(tags: Iterable<string>): HostScope {
  return { kind: 'tagged', tags: [...new Set(tags)].sort() };
}

/** Whether a scope contains a host with these tags. */
export function isInScope(scope: HostScope, hostTags: readonly string[]): boolean {
  return scope.kind === 'whole_fleet' || scope.tags.some((tag) => hostTags.includes(tag));
}

/** The hosts with a tag that both scopes name: never more than either scope contains. */
export function narrowScope(scope: HostScope, other: HostScope): HostScope {
  if (scope.kind === 'whole_fleet') return other;
  if (other.kind === 'whole_fleet') return scope;
  return taggedHosts(scope.tags.filter((tag) => other.tags.includes(tag)));
}

/** The tags of a scope, for SQL and answers; null: it is not limited. */
export function tagsOfScope(scope: HostScope): string[] | null {
  return scope.kind === 'whole_fleet' ? null : [...scope.tags];
}

/** The scope with the given `tagsOfScope`. */
export function scopeOfTags(tags: readonly string[] | null): HostScope {
  return tags === null ? wholeFleet : taggedHosts(tags);
}

/** A text that is equal only for equal scopes, as a key of caches. */
export function scopeKey(scope: HostScope): string {
  return JSON.stringify(tagsOfScope(scope));
}
