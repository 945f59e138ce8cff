import { z } from 'zod';

/** A DSA or DLA in the security tracker's own lists, one JSON object each. */
const listedErratum = z.object({
  id: z.string(),
  date: z.string(),
  source: z.string(),
  cves: z.array(z.string()),
  fixes: z.array(z.object({ suite: z.string(), source: z.string(), fixed: z.string() })),
});

/** Version numbers by codename, because OSV names releases by number. */
const numbers: ReadonlyMap<string, string> = new Map([
  ['buster', '10'],
  ['bullseye', '11'],
  ['bookworm', '12'],
  ['trixie', '13'],
]);

/** Converts the record to OSV's export form; null for other values. */
export function osvOfDebianList(json: unknown): object | null {
  const parsed = listedErratum.safeParse(json);
  if (!parsed.success) return null;
  const { id, date, source, cves, fixes } = parsed.data;
  return {
    id,
    summary: `${source} - security update`,
    published: `${date}T00:00:00Z`,
    modified: `${date}T00:00:00Z`,
    related: cves,
    affected: fixes.map((fix) => ({
      package: { ecosystem: `Debian:${numbers.get(fix.suite) ?? fix.suite}`, name: fix.source },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: fix.fixed }] }],
    })),
  };
}
