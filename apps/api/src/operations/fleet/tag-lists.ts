import type { TagLists } from '@plimsoll/db';
import { type HostScope, tagsOfScope } from '@plimsoll/model';

/** The hosts that a caller may see, of them those with one of the asked tags. */
export function tagListsOf(scope: HostScope, asked: readonly string[] | undefined): TagLists {
  const own = tagsOfScope(scope);
  return [...(own === null ? [] : [own]), ...(asked === undefined ? [] : [asked])];
}
