import type { Waiver } from '@plimsoll/contract';
import { groupedNumber } from '../design/number-words.ts';
import { printable } from '../design/text/printable.ts';

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
