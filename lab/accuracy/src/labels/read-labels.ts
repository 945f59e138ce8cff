import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { InputError } from '../input-error.ts';

const label = z.object({
  image: z.object({ exact: z.string() }),
  label: z.enum(['TP', 'FP', '??']),
  vulnerability_id: z.string(),
  effective_cve: z.string().nullish(),
  package: z.object({ name: z.string(), version: z.string() }).nullish(),
});

/** A human decision about one match of a vulnerability and a package. */
export interface MatchLabel {
  /** `undecided`: the reviewers could not decide. */
  readonly says: 'right' | 'wrong' | 'undecided';
  /** The advisory or CVE as named by a scanner, and its CVE; without duplicates. */
  readonly ids: readonly string[];
  /** Null: the label names no package. */
  readonly package: { readonly name: string; readonly version: string } | null;
}

/** The labels of a folder by image digest, and the number of files that are not labels. */
export interface ReadLabels {
  readonly byDigest: ReadonlyMap<string, readonly MatchLabel[]>;
  readonly broken: number;
}

const words = { TP: 'right', FP: 'wrong', '??': 'undecided' } as const;

/**
 * Reads a folder in the layout of anchore/vulnerability-match-labels: a folder per image, a JSON file per label. Throws
 * InputError if the folder cannot be read or has no label.
 */
export function readLabels(folder: string): ReadLabels {
  const byDigest = new Map<string, MatchLabel[]>();
  let broken = 0;
  for (const file of labelFiles(folder)) {
    const parsed = label.safeParse(jsonOf(readFileSync(file, 'utf8')));
    const digest = parsed.success ? /@sha256:([0-9a-f]{64})$/.exec(parsed.data.image.exact)?.[1] : undefined;
    if (!parsed.success || digest === undefined) {
      broken += 1;
      continue;
    }
    const { label: word, vulnerability_id: id, effective_cve: cve, package: named } = parsed.data;
    const read = { says: words[word], ids: [...new Set([id, cve ?? id])], package: named ?? null };
    const ofImage = byDigest.get(digest);
    if (ofImage === undefined) byDigest.set(digest, [read]);
    else ofImage.push(read);
  }
  if (byDigest.size === 0) throw new InputError(`${folder} has no match labels.`);
  return { byDigest, broken };
}

function labelFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    throw new InputError(`${folder} cannot be read`, { cause: error });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
