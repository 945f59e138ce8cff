import type { Waiver } from '@plimsoll/contract';
import { groupedNumber } from '../design/number-words.ts';
import { printable } from '../design/text/printable.ts';

/** Why something is waived. */
export type WaiverKind = Waiver['kind'];

interface KindWords {
  readonly words: string;
  readonly meaning: string;
}

/** The kinds of waivers, in the order in which they are offered. */
export const waiverKindWords: Readonly<Record<WaiverKind, KindWords>> = {
  risk_accepted: { words: 'Risk accepted', meaning: 'The risk is known and accepted until a date.' },
  mitigated: { words: 'Mitigated', meaning: 'Something else, such as a firewall, prevents the attack.' },
  false_positive: {
    words: 'False positive',
    meaning: 'The host is not affected although its packages are.',
  },
  snoozed_until_fix: {
    words: 'Snoozed until a fix exists',
    meaning:
      'Covers only what has no fix, and ends when a fix of any of it appears. Refused if there is one already.',
  },
};

/** The kinds in their order. */
export const waiverKindOrder = Object.keys(waiverKindWords) as readonly WaiverKind[]; // its own keys

/** How a waiver ended. */
export const waiverEndWords: Readonly<Record<NonNullable<Waiver['end_cause']>, string>> = {
  user: 'ended by hand',
  expired: 'ran out',
  fix_available: 'ended: a fix appeared',
};

/** Some names on one line: the first ones, and how many more there are. */
export function namesInWords(names: readonly string[], shown = 3): string {
  const first = names.slice(0, shown).map((name) => printable(name, 60));
  const left = names.length - first.length;
  return `${first.join(', ')}${left > 0 ? ` and ${groupedNumber(left)} more` : ''}`;
}

/** What a waiver covers: "CVE-2024-6387", "all findings of openssl". */
export function coveredInWords({
  advisories,
  packages,
  purls,
}: Pick<Waiver, 'advisories' | 'packages' | 'purls'>): string {
  if (advisories.length === 0) return `all findings of ${namesInWords(packages)}`;
  return purls.length === 0
    ? namesInWords(advisories)
    : `${namesInWords(advisories)} in ${namesInWords(purls, 1)}`;
}

/** Where a waiver applies: "all hosts", "hosts tagged web, db", "2 hosts". */
export function placeInWords({
  all_hosts,
  tags,
  hosts,
}: Pick<Waiver, 'all_hosts' | 'tags' | 'hosts'>): string {
  if (all_hosts) return 'all hosts';
  if (tags.length > 0) return `hosts tagged ${namesInWords(tags)}`;
  return hosts.length === 1 ? '1 host' : `${groupedNumber(hosts.length)} hosts`;
}
