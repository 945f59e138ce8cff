import type { Mutation } from './mutation.ts';
import { namedMutations } from './named-mutations.ts';
import { numberedMutations } from './numbered-mutations.ts';

/** All mutations. */
export const mutations: readonly Mutation[] = [...numberedMutations, ...namedMutations];
