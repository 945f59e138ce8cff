import { dueMutations } from './due-mutations.ts';
import { historyMutations } from './history-mutations.ts';
import { judgingMutations } from './judging-mutations.ts';
import type { Mutation } from './mutation.ts';
import { namedMutations } from './named-mutations.ts';
import { notificationMutations } from './notification-mutations.ts';
import { numberedMutations } from './numbered-mutations.ts';
import { readerMutations } from './reader-mutations.ts';

/** All mutations: those of matching, whose outcomes the accuracy report shows, and those of the rest of the service. */
export const mutations: Readonly<Record<'matching' | 'service', readonly Mutation[]>> = {
  matching: [...numberedMutations, ...namedMutations],
  service: [
    ...judgingMutations,
    ...dueMutations,
    ...historyMutations,
    ...readerMutations,
    ...notificationMutations,
  ],
};
