import type { RecordContext } from '../../feeds/feed.ts';
import { fieldOf, objectOf } from '../../json-fields.ts';
import { collectionsOf, type ListedPackage } from './erratum-packages.ts';

/** Special interest groups publish as `Rocky Linux SIG Cloud 8` and are not part of the distribution. */
const product = /^Rocky Linux (\d{1,2})$/;

/**
 * Converts a record of Rocky's former errata API, version 2, to the form of an `<update>`. Modules appear only in the
 * synopsis. Each of its releases becomes a collection; if the file is for one release, only that one. Values of a wrong
 * type are kept, so that the reader of updates reports them.
 */
export function convertRockyErratum(record: unknown, { release }: RecordContext): unknown {
  const erratum = objectOf(record);
  if (erratum === null) return record;
  return {
    id: fieldOf(erratum, 'name'),
    type: wordOf(fieldOf(erratum, 'type'), 'TYPE_'),
    severity: wordOf(fieldOf(erratum, 'severity'), 'SEVERITY_'),
    title: fieldOf(erratum, 'synopsis'),
    description: fieldOf(erratum, 'description'),
    issued: fieldOf(erratum, 'publishedAt'),
    references: cvesOf(fieldOf(erratum, 'cves')),
    collections: collectionsIn(fieldOf(erratum, 'rpms'), release?.split(':')[1] ?? null),
  };
}

/** Returns `SECURITY` for `TYPE_SECURITY`; undefined for `UNKNOWN`. */
function wordOf(value: unknown, prefix: string): unknown {
  if (typeof value !== 'string' || !value.startsWith(prefix)) return value;
  const word = value.slice(prefix.length);
  return word === 'UNKNOWN' ? '' : word;
}

function cvesOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((cve) => {
    const entry = objectOf(cve);
    return entry === null ? cve : { id: fieldOf(entry, 'name') };
  });
}

function collectionsIn(value: unknown, wanted: string | null): unknown {
  const rpms = objectOf(value);
  if (rpms === null) return value;
  const unreadable: object[] = [];
  const listed: ListedPackage[] = [];
  for (const [name, list] of Object.entries(rpms)) {
    const number = product.exec(name)?.[1];
    if (number === undefined || (wanted !== null && number !== wanted)) continue;
    const entry = objectOf(list);
    const nvras = entry === null ? list : fieldOf(entry, 'nvras');
    if (!Array.isArray(nvras)) unreadable.push({ name, packages: nvras });
    else for (const nevra of nvras) listed.push({ number, nevra, module: null });
  }
  return [...unreadable, ...collectionsOf(listed)];
}
