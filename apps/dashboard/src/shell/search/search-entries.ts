import type { SearchAnswer } from '@plimsoll/contract';
import { groupedNumber, hostsInWords } from '../../design/number-words.ts';
import { printable } from '../../design/text/printable.ts';

/** Where an entry leads: a path with search parameters. */
export interface SearchPlace {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
}

/** One choice of the search box. */
export interface SearchEntry {
  /** Unique among the entries. */
  readonly id: string;
  readonly words: string;
  readonly detail: string;
  readonly place: SearchPlace;
}

/** Choices of one kind, with a heading. */
export interface SearchGroup {
  readonly title: string;
  readonly entries: readonly SearchEntry[];
}

/** A page of the dashboard that the search finds by its name. */
export interface SearchedPage {
  readonly to: string;
  readonly words: string;
}

/** The longest text that the search takes: it has fewer CVE ids than one look-up allows. */
export const longestText = 2_000;

/** The longest text that the server searches for. */
export const longestQuery = 200;

type Match = SearchAnswer['hosts'][number]['match'];
const ranks: Readonly<Record<Match, number>> = { exact: 0, prefix: 1, part: 2 };
const longestWords = 100;

/**
 * The choices for a text: first the CVEs that it names among other words; then the kind with the best match; of equal ones
 * pages, hosts, CVEs, advisories, packages. Last the lists of everything that matches.
 * @param answer null: not there yet
 */
export function searchGroups(
  text: string,
  answer: SearchAnswer | null,
  pages: readonly SearchedPage[],
): readonly SearchGroup[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [group('Pages', pages.map(pageEntry))];
  const found = pages.filter(({ words }) => words.toLowerCase().includes(wanted));
  const groups = [
    {
      rank: found.some(({ words }) => words.toLowerCase().startsWith(wanted)) ? 1 : 2,
      ...group('Pages', found.map(pageEntry)),
    },
    ...(answer === null ? [] : answeredGroups(answer)),
  ].filter(({ entries }) => entries.length > 0);
  return [
    ...namedCves(text),
    ...groups.toSorted((a, b) => a.rank - b.rank).map(({ title, entries }) => ({ title, entries })),
    group('Lists', listEntries(text.trim().slice(0, longestQuery), answer)),
  ];
}

/** An id with the dashes and blanks in place of hyphens that a look-up of CVEs understands. */
const mention =
  /CVE([-\u2010-\u2015\u2212_ \u00a0]{0,2})(\d{4})([-\u2010-\u2015\u2212_ \u00a0])(\d{4,19})(?!\d)/giu;

/** The CVEs in a text, as a pasted sentence; nothing for a text that is the id of one as the server searches for it. */
function namedCves(text: string): readonly SearchGroup[] {
  // "In CVE-2024 10000 records …" names none.
  const found = [...text.matchAll(mention)].filter(
    ([, before = '', , between = '']) => between.trim() !== '' || before.trim() === '',
  );
  const ids = [...new Set(found.map(([, , year, , number]) => `CVE-${year}-${number}`))];
  const [id, ...others] = ids;
  if (id === undefined || id === text.trim().toUpperCase()) return [];
  const part = text.length >= longestText ? `of the first ${groupedNumber(longestText)} characters` : '';
  const entry =
    others.length === 0
      ? { words: id, detail: part, place: { to: '/cves/$id', params: { id } } }
      : {
          words: `Look up the ${ids.length} CVEs`,
          detail: part,
          place: { to: '/cves', search: { ids: ids.join(',') } },
        };
  return [group('CVEs in this text', [{ id: 'cves:named', ...entry }])];
}

function group(title: string, entries: readonly SearchEntry[]): SearchGroup {
  return { title, entries };
}

function pageEntry({ to, words }: SearchedPage): SearchEntry {
  return { id: `page:${to}`, words, detail: '', place: { to } };
}

function answeredGroups({ hosts, cves, advisories, packages }: SearchAnswer) {
  const rankOf = (rows: readonly { readonly match: Match }[]) =>
    Math.min(...rows.map(({ match }) => ranks[match]));
  return [
    { rank: rankOf(hosts), ...group('Hosts', hosts.map(hostEntry)) },
    {
      rank: rankOf(cves),
      ...group(
        'CVEs',
        cves.map(({ id, known }) => ({
          id: `cve:${id}`,
          words: id,
          detail: known ? '' : 'in no feed here',
          place: { to: '/cves/$id', params: { id } },
        })),
      ),
    },
    {
      rank: rankOf(advisories),
      ...group(
        'Advisories',
        advisories.map(({ id, title }) => ({
          id: `advisory:${id}`,
          words: printable(id, longestWords),
          detail: printable(title, longestWords),
          place: { to: '/advisories/$id', params: { id } },
        })),
      ),
    },
    {
      rank: rankOf(packages),
      ...group(
        'Packages',
        packages.map(({ name, hosts: having }) => ({
          id: `package:${name}`,
          words: printable(name, longestWords),
          detail: hostsInWords(having),
          place: { to: '/packages', search: { name } },
        })),
      ),
    },
  ];
}

const approvalDetails: Readonly<Record<SearchAnswer['hosts'][number]['approval_status'], readonly string[]>> =
  {
    pending: ['waits for approval'],
    approved: [],
    retired: ['retired'],
  };

function hostEntry({
  id,
  display_name,
  hostname,
  ip_address,
  approval_status,
}: SearchAnswer['hosts'][number]): SearchEntry {
  const details = [
    ...(hostname === display_name ? [] : [hostname]),
    ...(ip_address === null || ip_address === hostname ? [] : [ip_address]),
    ...approvalDetails[approval_status],
  ];
  return {
    id: `host:${id}`,
    words: printable(display_name, longestWords),
    detail: printable(details.join(', '), longestWords),
    place: { to: '/hosts/$id', params: { id } },
  };
}

function listEntries(q: string, answer: SearchAnswer | null): readonly SearchEntry[] {
  const total = answer?.hosts_total ?? 0;
  return [
    ...(total > 0
      ? [
          {
            id: 'list:hosts',
            words: `All hosts with “${printable(q, 40)}”`,
            detail: hostsInWords(total),
            place: { to: '/hosts', search: { q } },
          },
        ]
      : []),
    {
      id: 'list:advisories',
      words: `Advisories with “${printable(q, 40)}”`,
      detail: 'also in titles',
      place: { to: '/advisories', search: { q, affecting: 'false' } },
    },
  ];
}
