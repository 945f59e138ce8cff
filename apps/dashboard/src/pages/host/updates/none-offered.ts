import type { Host } from '@plimsoll/contract';
import { areFindingsKnown } from '../../../words/knowledge.ts';

/** Whether "no updates" is all that is to know: findings are known, and the repositories are current. */
export function isCurrent(host: Pick<Host, 'gaps'>): boolean {
  return areFindingsKnown(host) && !host.gaps.includes('repositories_unknown');
}

/** What it means that no update is offered. */
export function noneOffered({ gaps }: Pick<Host, 'gaps'>): string {
  const offered = 'The repositories of the host offer no newer packages.';
  return gaps.includes('repositories_unknown')
    ? `${offered} Whether they are current is not known: see Repositories.`
    : offered;
}
