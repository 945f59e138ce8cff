import type { HostScope } from '@plimsoll/model';
import type { TagSets } from './tag-sets.ts';

/** A tag with its number of hosts. */
export interface TagCount {
  readonly tag: string;
  readonly hosts: number;
}

/** The tags of the hosts of a scope that contain a text, ignoring case: those that begin with it first, then by hosts. */
export function suggestTags(sets: TagSets, scope: HostScope, part: string): readonly TagCount[] {
  const wanted = part.toLowerCase();
  const counts = new Map<string, number>();
  for (const { tags, hosts } of sets.inUse(scope))
    for (const tag of new Set(tags))
      if (tag.toLowerCase().includes(wanted)) counts.set(tag, (counts.get(tag) ?? 0) + hosts);
  const begins = ({ tag }: TagCount): number => Number(tag.toLowerCase().startsWith(wanted));
  return [...counts]
    .map(([tag, hosts]) => ({ tag, hosts }))
    .sort((a, b) => begins(b) - begins(a) || b.hosts - a.hosts || (a.tag < b.tag ? -1 : 1));
}
