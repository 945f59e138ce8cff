/** What a waiver can cover, and where, as a page offers it. */
export interface WaiverSubject {
  /** Ids of advisories. */
  readonly advisories: readonly string[];
  readonly cves: readonly string[];
  /** Names of source or binary packages. */
  readonly packages: readonly string[];
  /** The hosts in question; none: a list of the fleet. */
  readonly hosts: readonly { readonly id: string; readonly name: string }[];
  /** The tags of the hosts in question, or those to which a list of the fleet is limited. */
  readonly tags: readonly string[];
}

/** What a waiver names. */
export type Covers = 'advisories' | 'cves' | 'packages';

/** Where it applies. */
export type Place = 'hosts' | 'tags' | 'all_hosts';

/**
 * The choices of a subject that name something, the narrowest first. Advisories that have the names of CVEs are waived as
 * CVEs are: in any package.
 */
export function coversOf(subject: WaiverSubject): readonly Covers[] {
  const isByCve = subject.advisories.every((name) => subject.cves.includes(name));
  return (['advisories', 'cves', 'packages'] as const).filter(
    (covers) => subject[covers].length > 0 && !(covers === 'advisories' && isByCve),
  );
}

/**
 * Where a waiver may apply, the narrowest first.
 * @param isLimited whether the user is limited to tags: then never to the whole fleet.
 */
export function placesOf({ hosts }: WaiverSubject, isLimited: boolean): readonly Place[] {
  return [
    ...(hosts.length > 0 ? (['hosts'] as const) : []),
    'tags',
    ...(isLimited ? [] : (['all_hosts'] as const)),
  ];
}

/**
 * The choice that a form begins with: the hosts or tags that the user came from, or the only choice. Null: the user has to
 * choose, as nothing shows whether a part or all of the fleet is meant.
 */
export function firstPlace({ hosts, tags }: WaiverSubject, places: readonly Place[]): Place | null {
  if (hosts.length > 0) return 'hosts';
  if (tags.length > 0) return 'tags';
  return places.length === 1 ? (places[0] ?? null) : null;
}

/** Most names in a waiver; the server checks it. */
export const mostNames = 500;
/** Most hosts of a waiver. */
export const mostHosts = 1_000;
