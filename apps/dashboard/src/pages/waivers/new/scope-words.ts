import { amountInWords, hostsInWords } from '../../../design/number-words.ts';
import { printable } from '../../../design/text/printable.ts';
import type { Covers, Place, WaiverSubject } from './waiver-subject.ts';

/** A choice of what a waiver names: "The advisory DSA-1-1", "3 CVEs: every advisory about them". */
export function coversWords(covers: Covers, subject: WaiverSubject): string {
  const names = subject[covers];
  const [only] = names.length === 1 ? names : [];
  const one = only === undefined ? null : printable(only, 60);
  switch (covers) {
    case 'advisories':
      return one === null ? amountInWords(names.length, 'advisory', 'advisories') : `The advisory ${one}`;
    case 'cves':
      return one === null
        ? `${amountInWords(names.length, 'CVE', 'CVEs')}, in any package`
        : `${one}, in any package`;
    case 'packages':
      return one === null
        ? `Every finding of ${amountInWords(names.length, 'package', 'packages')}`
        : `Every finding of ${one}, also later ones`;
    default:
      return covers satisfies never;
  }
}

/** A choice of where a waiver applies. */
export function placeWords(place: Place, { hosts }: WaiverSubject): string {
  const [only] = hosts;
  switch (place) {
    case 'hosts':
      return hosts.length === 1 && only !== undefined
        ? `Only ${printable(only.name, 60)}`
        : `Only ${hostsInWords(hosts.length)}`;
    case 'tags':
      return 'Hosts with a tag';
    case 'all_hosts':
      return 'All hosts, also those that come later';
    default:
      return place satisfies never;
  }
}
