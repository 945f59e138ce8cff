const roots: readonly (readonly [RegExp, string])[] = [
  [/^(?:<!doctype html|<html|<head|<body)\b/i, 'an HTML page, such as the sign-in page of a proxy'],
  [/^<(?:[a-z-]+:)?oval_definitions\b/i, 'a list of OVAL definitions'],
  [/^<(?:[a-z-]+:)?cvrfdoc\b/i, 'a CVRF document'],
  [
    /^<(?:[a-z-]+:)?(?:repomd|metadata|metalink)\b/i,
    "a repository's index or list of packages, not its updateinfo",
  ],
];

/** How many characters are searched for the root element. */
const searched = 4096;

/** Names an XML or HTML text that no reader reads, by its root element; null for any other text. */
export function foreignXml(start: string): string | null {
  let rest = start.slice(0, searched).trimStart();
  for (const [open, close] of [
    ['<?', '?>'],
    ['<!--', '-->'],
  ] as const)
    while (rest.startsWith(open)) {
      const end = rest.indexOf(close);
      if (end === -1) return null;
      rest = rest.slice(end + close.length).trimStart();
    }
  return roots.find(([pattern]) => pattern.test(rest))?.[1] ?? null;
}

/** Names a JSON record of a format that no feed has; null for any other record. */
export function foreignRecord(json: unknown): string | null {
  if (typeof json !== 'object' || json === null) return null;
  const fields = new Map<string, unknown>(Object.entries(json));
  const category = textIn(fields.get('document'), 'category');
  if (category !== null && /^csaf_(?!vex$|security_advisory$)/i.test(category))
    return `a CSAF document (${category.slice(0, 40)})`;
  if (fields.has('bomFormat') || fields.has('spdxVersion')) return 'a bill of materials';
  if (isTrackerEntry(json)) return "the JSON of Debian's security tracker in an archive";
  return null;
}

/** `{ package: { "CVE-…": { releases } } }`. */
function isTrackerEntry(json: object): boolean {
  const first = Object.values(json)[0] as unknown;
  if (typeof first !== 'object' || first === null) return false;
  const [id, entry] = Object.entries(first)[0] ?? [];
  return id !== undefined && /^(?:CVE|TEMP)-/.test(id) && typeof entry === 'object' && entry !== null;
}

function textIn(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const text = new Map<string, unknown>(Object.entries(value)).get(key);
  return typeof text === 'string' ? text : null;
}
