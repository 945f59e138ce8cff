import type { JsonObject } from '@plimsoll/model';
import type { RecordContext } from '../../feeds/feed.ts';
import { fieldOf, objectOf } from '../../json-fields.ts';
import { convertRockyErratum } from './errata-api.ts';
import { collectionsOf, type ListedPackage } from './erratum-packages.ts';

/**
 * `Rocky Linux 10 x86_64`, `Rocky Linux 8.4 aarch64 (Legacy)`. Special interest groups publish as `Rocky Linux SIG Cloud 8`
 * and are not part of the distribution.
 */
const product = /^Rocky Linux (\d{1,2})(?:\.\d{1,3})?(?: [a-z0-9_]{1,20})?(?: \(Legacy\))?$/;

/**
 * Converts a record of Rocky's errata, of Apollo's API version 3 or of the former version 2, to the form of an
 * `<update>`. Version 3 lists each package once for each product, which is an architecture of a major or minor release;
 * the builds of all minor releases are those of the major one. If the file is for one release, only that one is kept.
 * Values of a wrong type are kept, so that the reader of updates reports them.
 */
export function convertRockyAdvisory(record: unknown, context: RecordContext): unknown {
  const advisory = objectOf(record);
  if (advisory === null || fieldOf(advisory, 'rpms') !== undefined)
    return convertRockyErratum(record, context);
  return {
    id: fieldOf(advisory, 'name'),
    type: fieldOf(advisory, 'kind'),
    severity: ratingOf(fieldOf(advisory, 'severity')),
    title: fieldOf(advisory, 'synopsis'),
    description: fieldOf(advisory, 'description'),
    issued: fieldOf(advisory, 'published_at'),
    updated: fieldOf(advisory, 'updated_at'),
    references: cvesOf(fieldOf(advisory, 'cves')),
    collections: collectionsIn(fieldOf(advisory, 'packages'), context.release?.split(':')[1] ?? null),
  };
}

/** `None` is the default of advisories without a rating, not "not affected". */
function ratingOf(value: unknown): unknown {
  return value === 'None' || value === null ? '' : value;
}

function cvesOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((cve) => {
    const entry = objectOf(cve);
    return entry === null ? cve : { id: fieldOf(entry, 'cve') };
  });
}

function collectionsIn(value: unknown, wanted: string | null): unknown {
  if (!Array.isArray(value)) return value;
  const unreadable: unknown[] = [];
  const listed = new Map<string, ListedPackage>();
  for (const [index, item] of value.entries()) {
    const entry = objectOf(item);
    if (entry === null) {
      unreadable.push(item);
      continue;
    }
    const name = fieldOf(entry, 'product_name');
    const number = typeof name === 'string' ? product.exec(name)?.[1] : undefined;
    if (number === undefined || (wanted !== null && number !== wanted)) continue;
    const nevra = fieldOf(entry, 'nevra');
    const module = moduleOf(entry);
    // Each package of several products is listed several times.
    const key = typeof nevra === 'string' ? `${module?.name}:${module?.stream} ${nevra}` : String(index);
    listed.set(`${number} ${key}`, { number, nevra, module });
  }
  return [...unreadable, ...collectionsOf([...listed.values()])];
}

function moduleOf(entry: JsonObject): ListedPackage['module'] {
  const name = fieldOf(entry, 'module_name');
  const stream = fieldOf(entry, 'module_stream');
  return typeof name === 'string' && typeof stream === 'string' && name !== '' ? { name, stream } : null;
}
