import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * Lists of tags that hosts are selected by: a host is selected if it has a tag of each list. No list: every host; an empty
 * list: no host.
 */
export type TagLists = readonly (readonly string[])[];

/** Whether tags of a host have a tag of each list. */
export function hasTagOfEach(tags: readonly string[], lists: TagLists): boolean {
  return lists.every((list) => list.some((tag) => tags.includes(tag)));
}

/** Numbers of hosts with the same tags. Fields can be nested; each value is a whole number below 2^31. */
export interface TaggedNumbers {
  /** Sorted, each once. */
  readonly tags: readonly string[];
  readonly numbers: object;
}

/** The numbers of a day for each combination of tags, as stored. */
export interface TagDay {
  /** The fields, with `.` between levels. */
  readonly fields: readonly string[];
  readonly combinations: readonly (readonly string[])[];
  /** Raw deflate of 32-bit little-endian integers: for each combination the fields. */
  readonly numbers: Uint8Array;
  /** False: tags in no combination are not counted; a number of their hosts is unknown. */
  readonly isComplete: boolean;
}

const bytesOfNumber = 4;

/** Encodes the numbers of a day. Every combination has the fields of the first one. */
export function encodeTagDay(rows: readonly TaggedNumbers[], isComplete: boolean): TagDay {
  const fields = [...flatten(rows[0]?.numbers ?? {}).keys()];
  const bytes = Buffer.alloc(rows.length * fields.length * bytesOfNumber);
  for (const [row, { numbers }] of rows.entries()) {
    const values = flatten(numbers);
    for (const [n, field] of fields.entries())
      bytes.writeInt32LE(values.get(field) ?? 0, (row * fields.length + n) * bytesOfNumber);
  }
  return {
    fields,
    combinations: rows.map(({ tags }) => tags),
    numbers: deflateRawSync(bytes),
    isComplete,
  };
}

/**
 * The sums over the hosts that tags select, each host once. Null: not known, because hosts with one of the tags were not
 * counted by it on that day. All zero if no host was selected.
 */
export function sumTagDay(day: TagDay, lists: TagLists): object | null {
  const known = new Set(day.combinations.flat());
  if (!day.isComplete && lists.some((list) => list.some((tag) => !known.has(tag)))) return null;
  if (day.combinations.length === 0) return null;
  const { fields } = day;
  const bytes = inflateRawSync(day.numbers, {
    maxOutputLength: Math.max(1, day.combinations.length * fields.length * bytesOfNumber),
  });
  const sums = fields.map(() => 0);
  for (const [row, tags] of day.combinations.entries()) {
    if (!hasTagOfEach(tags, lists)) continue;
    for (let n = 0; n < fields.length; n += 1)
      sums[n] = (sums[n] ?? 0) + bytes.readInt32LE((row * fields.length + n) * bytesOfNumber);
  }
  return unflatten(fields.map((field, n) => [field, sums[n] ?? 0]));
}

/** The tags by which a day is counted. */
export interface CountedTags {
  readonly tags: readonly string[];
  /** Whether these are all tags. */
  readonly isComplete: boolean;
}

/**
 * The tags by which at most `most` combinations of hosts are counted: all, or those of the most hosts.
 * @param hosts the tags of hosts, and how many have exactly these.
 */
export function tagsToCount(
  hosts: readonly { readonly tags: readonly string[]; readonly hosts: number }[],
  most: number,
): CountedTags {
  const hostsOf = new Map<string, number>();
  for (const { tags, hosts: n } of hosts)
    for (const tag of new Set(tags)) hostsOf.set(tag, (hostsOf.get(tag) ?? 0) + n);
  for (let fewest = 1; ; fewest *= 2) {
    const counted = new Set([...hostsOf].filter(([, n]) => n >= fewest).map(([tag]) => tag));
    const combinations = new Set<string>();
    for (const { tags } of hosts) {
      combinations.add(JSON.stringify([...new Set(tags)].filter((tag) => counted.has(tag)).sort()));
      if (combinations.size > most) break;
    }
    if (combinations.size <= most)
      return { tags: [...counted].sort(), isComplete: counted.size === hostsOf.size };
  }
}

function flatten(value: object, prefix = ''): Map<string, number> {
  const flat = new Map<string, number>();
  for (const [name, field] of Object.entries(value)) {
    if (typeof field === 'number') flat.set(prefix + name, field);
    else for (const [path, number] of flatten(field, `${prefix}${name}.`)) flat.set(path, number);
  }
  return flat;
}

function unflatten(fields: readonly (readonly [string, number])[]): object {
  const result: Record<string, number | Record<string, number>> = {};
  for (const [path, number] of fields) {
    const [name = '', ...rest] = path.split('.');
    if (rest.length === 0) result[name] = number;
    else {
      const group = result[name];
      const inner = typeof group === 'object' ? group : {};
      inner[rest.join('.')] = number;
      result[name] = inner;
    }
  }
  return result;
}
