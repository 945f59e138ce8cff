import type { Session } from '@plimsoll/contract';

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The client that started a session, as it named itself: `Firefox on Linux`. For other programs their own words. */
export function clientInWords({ kind, user_agent: agent }: Pick<Session, 'kind' | 'user_agent'>): string {
  const browser = wordsFor(browsers, agent);
  if (browser === null) return agent === '' ? 'Unnamed program' : (agent.split(' ')[0] ?? agent);
  const system = wordsFor(systems, agent);
  const named = system === null ? browser : `${browser} on ${system}`;
  return kind === 'browser' ? named : `${named} (token)`;
}

function wordsFor(known: readonly (readonly [RegExp, string])[], agent: string): string | null {
  return known.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
}
