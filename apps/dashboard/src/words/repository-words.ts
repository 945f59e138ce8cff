import type { FleetRepository } from '@plimsoll/contract';
import type { Word } from '@plimsoll/words';
import { hostsInWords } from '../design/number-words.ts';

/** Display name of a repository: `noble-security (main), amd64`; on rpm hosts its id and architecture. */
export function fleetRepositoryName({
  name,
  component,
  architecture,
}: Pick<FleetRepository, 'name' | 'component' | 'architecture'>): string {
  const whole = component === '' ? name : `${name} (${component})`;
  return architecture === '' ? whole : `${whole}, ${architecture}`;
}

/** Source of the newest known date of a repository; '' without such a date. */
export function newestSourceWords({
  newest_known_source,
}: Pick<FleetRepository, 'newest_known_source'>): string {
  switch (newest_known_source) {
    case 'publisher':
      return 'from the publisher';
    case 'hosts':
      return 'from three hosts or more';
    case 'few_hosts':
      return 'from one or two hosts';
    case null:
      return '';
    default:
      return newest_known_source satisfies never;
  }
}

/**
 * Whether hosts are behind with a repository. Zero outdated hosts do not mean that all copies are current: without a
 * newest date no copy can be judged, and with one some copies may still be unknown.
 */
export function fleetRepositoryState({
  outdated_hosts,
  newest_known_source,
}: Pick<FleetRepository, 'outdated_hosts' | 'newest_known_source'>): Word {
  if (outdated_hosts > 0) {
    return {
      words: hostsInWords(outdated_hosts),
      tone: 'important',
      meaning: 'Their copies are older than allowed, or past their own Valid-Until.',
    };
  }
  return newest_known_source === null || newest_known_source === 'few_hosts'
    ? {
        words: 'Not known',
        tone: 'neutral',
        meaning: 'No newest date is known to compare with: neither the publisher nor three hosts tell one.',
      }
    : {
        words: 'None known',
        tone: 'neutral',
        meaning:
          'No copy with a known date is older than allowed. Copies that cannot be judged are not counted.',
      };
}
