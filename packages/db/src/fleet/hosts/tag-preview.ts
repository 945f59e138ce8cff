import type { Statements } from '../../core/transaction.ts';
import { storedRules, type TagRule } from './tag-rules.ts';

/** What rules would change if they were put in force; retired hosts are not counted. */
export interface TagRulePreview {
  /** Hosts that would have other tags than now. */
  readonly hostsChanged: number;
  /** In the order of the rules: the hosts to which each applies. */
  readonly rules: readonly { readonly hosts: number }[];
  /** The tags of the rules, and those that hosts would lose, sorted. */
  readonly tags: readonly TagChange[];
}

/** What rules would change of one tag. */
export interface TagChange {
  readonly tag: string;
  /** Hosts that would have it. */
  readonly hosts: number;
  readonly gain: number;
  readonly lose: number;
  /** Users and API keys that are limited to it, among others. */
  readonly readers: number;
}

interface AlikeHosts {
  readonly tags: readonly string[];
  readonly setTags: readonly string[];
  /** Places of the rules that apply, from 1. */
  readonly matched: readonly number[];
  readonly hosts: number;
}

/** Looks at every host. */
export async function previewTagRules(
  client: Statements,
  rules: readonly TagRule[],
): Promise<TagRulePreview> {
  const { rows } = await client.query<AlikeHosts>(
    `SELECT tags, set_tags AS "setTags", matched, count(*)::int AS hosts FROM (
       SELECT h.tags, h.set_tags, ARRAY(
         SELECT r.n::int FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (rule, n)
         WHERE tag_rule_applies(r.rule, h, s.os_name, s.os_version) ORDER BY 1) AS matched
       FROM hosts h JOIN host_state s ON s.host_id = h.id WHERE h.approval_status <> 'retired') AS judged
     GROUP BY tags, set_tags, matched`,
    [JSON.stringify(storedRules(rules))],
  );
  const perRule = rules.map(() => 0);
  const perTag = new Map<string, { hosts: number; gain: number; lose: number }>();
  const ofTag = (tag: string) => {
    const known = perTag.get(tag) ?? { hosts: 0, gain: 0, lose: 0 };
    perTag.set(tag, known);
    return known;
  };
  const ruled = new Set(rules.flatMap(({ tags }) => tags));
  for (const tag of ruled) ofTag(tag);
  let hostsChanged = 0;
  for (const { tags, setTags, matched, hosts } of rows) {
    for (const n of matched) perRule[n - 1] = (perRule[n - 1] ?? 0) + hosts;
    const next = new Set([...setTags, ...matched.flatMap((n) => rules[n - 1]?.tags ?? [])]);
    const before = new Set(tags);
    const gained = [...next].filter((tag) => !before.has(tag));
    const lost = [...before].filter((tag) => !next.has(tag));
    if (gained.length + lost.length > 0) hostsChanged += hosts;
    for (const tag of gained) ofTag(tag).gain += hosts;
    for (const tag of lost) ofTag(tag).lose += hosts;
    for (const tag of next) if (ruled.has(tag)) ofTag(tag).hosts += hosts;
  }
  // Of a tag that only loses hosts, those that keep it.
  for (const { tags, setTags, matched, hosts } of rows) {
    const next = new Set([...setTags, ...matched.flatMap((n) => rules[n - 1]?.tags ?? [])]);
    for (const tag of new Set(tags))
      if (!ruled.has(tag) && perTag.has(tag) && next.has(tag)) ofTag(tag).hosts += hosts;
  }
  const readers = await readersOf(client, [...perTag.keys()]);
  const changes = [...perTag].map(([tag, counts]) => ({ tag, ...counts, readers: readers.get(tag) ?? 0 }));
  changes.sort((a, b) => (a.tag < b.tag ? -1 : 1));
  return { hostsChanged, rules: perRule.map((hosts) => ({ hosts })), tags: changes };
}

async function readersOf(client: Statements, tags: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ tag: string; readers: number }>(
    `SELECT tag, count(*)::int AS readers FROM (
       SELECT unnest(tags) AS tag FROM users UNION ALL SELECT unnest(tags) FROM api_keys WHERE expires_at > now()) AS limited
     WHERE tag = ANY($1::text[]) GROUP BY tag`,
    [tags],
  );
  return new Map(rows.map(({ tag, readers }) => [tag, readers]));
}
