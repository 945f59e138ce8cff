import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { InputError } from '../input-error.ts';

const cassette = z.object({
  interactions: z.array(
    z.object({
      request: z.object({ url: z.string(), body: z.string().nullish() }),
      response: z.object({ body: z.string().nullish() }),
    }),
  ),
});

const question = z.object({
  queries: z.array(
    z.object({
      package: z.object({ ecosystem: z.string().default(''), name: z.string().default('') }).optional(),
      version: z.string().default(''),
    }),
  ),
});

const answer = z.object({
  results: z.array(
    z.object({
      vulns: z.array(z.object({ id: z.string() })).default([]),
      next_page_token: z.string().optional(),
    }),
  ),
});

/** One package that a scanner asked osv.dev about, and the ids of the answer. */
export interface AnsweredPackage {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
  readonly ids: readonly string[];
}

/**
 * The packages in recorded requests of osv-scanner to osv.dev (`querybatch`) below a folder, per file and request; requests
 * that repeat an earlier one are left out. A package whose answer has another page is left out: it is not whole. Throws
 * InputError if the folder cannot be read or has none.
 */
export function readCassettes(folder: string): readonly (readonly AnsweredPackage[])[] {
  const requests = new Map<string, readonly AnsweredPackage[]>();
  for (const file of yamlFiles(folder)) {
    const parsed = cassette.safeParse(yamlOf(readFileSync(file, 'utf8')));
    for (const { request, response } of parsed.data?.interactions ?? []) {
      if (!request.url.endsWith('/querybatch')) continue;
      const asked = question.safeParse(jsonOf(request.body));
      const told = answer.safeParse(jsonOf(response.body));
      if (!asked.success || !told.success) continue;
      const packages = asked.data.queries.flatMap((query, at): AnsweredPackage[] => {
        const result = told.data.results[at];
        if (query.package === undefined || result === undefined || result.next_page_token) return [];
        return [{ ...query.package, version: query.version, ids: result.vulns.map(({ id }) => id) }];
      });
      requests.set(JSON.stringify(packages), packages);
    }
  }
  if (requests.size === 0) throw new InputError(`${folder} has no recorded answers of osv.dev.`);
  return [...requests.values()];
}

function yamlFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    throw new InputError(`${folder} cannot be read`, { cause: error });
  }
}

function yamlOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

function jsonOf(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
