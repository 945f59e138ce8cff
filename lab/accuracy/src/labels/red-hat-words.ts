import { readRecords } from '@plimsoll/pipeline';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { z } from 'zod';
import { InputError } from '../input-error.ts';

const record = z.object({
  name: z.string(),
  package_state: z
    .array(z.object({ cpe: z.string(), fix_state: z.string(), package_name: z.string() }))
    .nullish(),
  affected_release: z
    .array(z.object({ cpe: z.string(), advisory: z.string(), package: z.string().nullish() }))
    .nullish(),
});
type Words = z.output<typeof record>;

/** Red Hat's statement about a package in data other than the files that judge it. */
export type RedHatWord =
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'fixed'; readonly advisory: string; readonly isReached: boolean };

const main = /^cpe:\/[ao]:redhat:enterprise_linux:(\d{1,2})(?:::|$)/;

/**
 * Red Hat's statements about CVEs, read without the service's readers. They state that a package is not
 * affected, and which bug fix updates fix a CVE; Red Hat's errata in OSV format state neither.
 */
export class RedHatWords {
  private readonly byCve = new Map<string, Words>();

  /** Reads the records of these CVEs. Throws InputError if the file has none of them. */
  static async read(file: string, cves: ReadonlySet<string>): Promise<RedHatWords> {
    const words = new RedHatWords();
    for await (const { kind, ...rest } of readRecords(file)) {
      const parsed = kind === 'broken' || !('json' in rest) ? null : record.safeParse(rest.json);
      if (parsed?.success && cves.has(parsed.data.name)) words.byCve.set(parsed.data.name, parsed.data);
    }
    if (words.byCve.size === 0) throw new InputError(`${file} has no record of a labelled CVE.`);
    return words;
  }

  /**
   * The statement about a package version under any of the names, outside module streams; null if there is
   * none.
   */
  about(cve: string, major: string, names: ReadonlySet<string>, version: string): RedHatWord | null {
    // A module stream has its own state, and is not built from the component of the same name.
    if (version.includes('.module')) return null;
    const words = this.byCve.get(cve);
    for (const { cpe, advisory, package: build } of words?.affected_release ?? []) {
      const [, name = '', fixed = ''] = /^(.+)-((?:\d+:)?[^-]+-[^-]+)$/.exec(build ?? '') ?? [];
      if (main.exec(cpe)?.[1] !== major || !names.has(name) || fixed.includes('.module')) continue;
      const isReached = isAtLeast(version, fixed);
      if (isReached !== null) return { kind: 'fixed', advisory, isReached };
    }
    for (const { cpe, fix_state: state, package_name: name } of words?.package_state ?? [])
      if (main.exec(cpe)?.[1] === major && names.has(name)) return { kind: 'state', state };
    return null;
  }
}

/** Compares without epochs, because source rpms and binary packages state them differently. */
function isAtLeast(version: string, fixed: string): boolean | null {
  const [a, b] = [version, fixed].map((text) => versionKey('rpm', text.replace(/^\d+:/, '')));
  if (a?.kind !== 'key' || b?.kind !== 'key') return null;
  return compareKeys(a.key, b.key) >= 0;
}
