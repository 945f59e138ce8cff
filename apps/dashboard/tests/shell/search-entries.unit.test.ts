import type { SearchAnswer } from '@plimsoll/contract';
import { longestQuery, longestText, searchGroups } from '../../src/shell/search/search-entries.ts';

const pages = [
  { to: '/hosts', words: 'Hosts' },
  { to: '/time-to-patch', words: 'Time to patch' },
];
const nothing: SearchAnswer = { hosts: [], hosts_total: 0, packages: [], cves: [], advisories: [] };
const titles = (text: string, answer: SearchAnswer | null) =>
  searchGroups(text, answer, pages).map(({ title }) => title);

describe('the choices of the search', () => {
  it('are the pages before anything is typed', () => {
    expect(titles(' ', null)).toEqual(['Pages']);
  });

  it('begin with the kind that has the best match, and end with the lists', () => {
    const answer: SearchAnswer = {
      ...nothing,
      hosts: [
        {
          match: 'part',
          id: 'one',
          display_name: 'a-openssl',
          hostname: 'a-openssl',
          ip_address: null,
          approval_status: 'pending',
        },
      ],
      hosts_total: 30,
      packages: [{ match: 'exact', name: 'openssl', hosts: 2 }],
    };
    expect(titles('openssl', answer)).toEqual(['Packages', 'Hosts', 'Lists']);
    const [, hosts, lists] = searchGroups('openssl', answer, pages);
    expect(hosts?.entries[0]?.detail).toBe('waits for approval');
    expect(lists?.entries.map(({ place }) => place)).toEqual([
      { to: '/hosts', search: { q: 'openssl' } },
      { to: '/advisories', search: { q: 'openssl', affecting: 'false' } },
    ]);
  });

  it('lead to the page of a CVE that no feed has, and say so', () => {
    const answer: SearchAnswer = {
      ...nothing,
      cves: [{ match: 'exact', id: 'CVE-2099-0001', known: false }],
    };
    expect(searchGroups('cve-2099-0001', answer, pages)[0]?.entries).toEqual([
      {
        id: 'cve:CVE-2099-0001',
        words: 'CVE-2099-0001',
        detail: 'in no feed here',
        place: { to: '/cves/$id', params: { id: 'CVE-2099-0001' } },
      },
    ]);
  });

  it('find pages by their names while the answer is not there yet', () => {
    expect(searchGroups('patch', null, pages)[0]?.entries.map(({ words }) => words)).toEqual([
      'Time to patch',
    ]);
  });

  it('begin with the CVEs that a pasted text names among other words', () => {
    const [first] = searchGroups(
      'Attackers use CVE-2024-6387 (and cve\u20112024\u20116387), CVE-2023-0001.',
      nothing,
      pages,
    );
    expect(first?.title).toBe('CVEs in this text');
    expect(first?.entries.map(({ words, place }) => [words, place])).toEqual([
      ['Look up the 2 CVEs', { to: '/cves', search: { ids: 'CVE-2024-6387,CVE-2023-0001' } }],
    ]);
    const [one] = searchGroups('regreSSHion: CVE-2024-6387', nothing, pages);
    expect(one?.entries[0]?.place).toEqual({ to: '/cves/$id', params: { id: 'CVE-2024-6387' } });
    for (const alone of ['CVE-2024-6387', ' cve-2024-6387 '])
      expect(titles(alone, nothing)).toEqual(['Lists']);
    expect(titles('in CVE-2024 10000 records', nothing)).toEqual(['Lists']);
  });

  it.each(['CVE\u20112024\u20116387', 'cve\u22122024\u22126387', 'CVE 2024 6387', 'CVE_2024_6387'])(
    'begin with the CVE that %s alone names, for which the server does not search',
    (text) => {
      expect(searchGroups(text, nothing, pages)[0]?.entries[0]?.place).toEqual({
        to: '/cves/$id',
        params: { id: 'CVE-2024-6387' },
      });
    },
  );

  it('say of a text that is cut that only its beginning was read, and search for no more than the server takes', () => {
    const groups = searchGroups('CVE-2024-6387 '.padEnd(longestText, 'x'), nothing, pages);
    expect(groups[0]?.entries[0]?.detail).toBe('of the first 2,000 characters');
    expect(groups.at(-1)?.entries[0]?.place.search?.['q']).toHaveLength(longestQuery);
  });
});
