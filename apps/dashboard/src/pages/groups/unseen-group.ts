import type { Group } from '@plimsoll/contract';
import { useSession } from '../../api/session.ts';

/** Shown in place of the numbers of an unseen group, and what it means. */
export const unseenGroup = { shown: '–', meaning: 'You see no host of this group.' } as const;

/**
 * Whether a group is unseen: the user is limited to tags and sees none of its hosts. It may have others, so that a zero
 * would say that it has none.
 */
export function useIsUnseen(): (group: Pick<Group, 'hosts'>) => boolean {
  const isLimited = useSession()?.user.tags != null;
  return ({ hosts }) => isLimited && hosts === 0;
}
