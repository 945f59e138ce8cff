import type { JsonObject } from '@plimsoll/model';
import { fieldOf, objectOf } from '../../json-fields.ts';
import { distTagOf } from '../../rpm/dist-tag.ts';
import { sourceRpmOf } from '../../rpm/source-rpm.ts';

/**
 * Converts a record of AlmaLinux' errata JSON to the form of an `<update>`. Its packages name their module build and
 * their source; many records omit binary packages of a source. Values of a wrong type are kept, so that the reader of
 * updates reports them.
 */
export function convertErratum(record: unknown): unknown {
  const erratum = objectOf(record);
  if (erratum === null) return record;
  const packages = fieldOf(erratum, 'packages');
  const references = fieldOf(erratum, 'references');
  return {
    id: fieldOf(erratum, 'id') ?? fieldOf(erratum, 'updateinfo_id'),
    type: fieldOf(erratum, 'type'),
    severity: fieldOf(erratum, 'severity'),
    title: fieldOf(erratum, 'title'),
    description: fieldOf(erratum, 'description'),
    issued: timeOf(fieldOf(erratum, 'issued_date')),
    updated: timeOf(fieldOf(erratum, 'updated_date')),
    references,
    collections: Array.isArray(packages) ? collectionsOf(packages) : packages,
  };
}

const maxReleaseCharacters = 300;

/** Seconds since 1970, also as `{ "$date": milliseconds }`. */
function timeOf(value: unknown): unknown {
  const date = objectOf(value);
  const milliseconds = date === null ? null : fieldOf(date, '$date');
  return typeof milliseconds === 'number' ? Math.floor(milliseconds / 1000) : value;
}

/** One collection per module, because a collection names only one. */
function collectionsOf(packages: readonly unknown[]): readonly unknown[] {
  const byModule = new Map<string, unknown[]>();
  for (const value of packages) {
    const label = moduleOf(objectOf(value));
    const others = byModule.get(label);
    if (others === undefined) byModule.set(label, [value]);
    else others.push(value);
  }
  const short = shortOf(packages);
  return [...byModule].map(([label, members]) => {
    const [name, stream] = label.split(':', 2);
    const sources = sourcesOf(members);
    return label === ''
      ? { short, packages: members, sources }
      : { short, module: { name, stream }, packages: members, sources };
  });
}

/** The distinct source packages of some packages. A package without a readable source is kept. */
function sourcesOf(packages: readonly unknown[]): readonly object[] {
  const files = new Set<string>();
  for (const value of packages) {
    const entry = objectOf(value);
    const file = entry === null ? null : fieldOf(entry, 'src');
    if (typeof file === 'string') files.add(file);
  }
  return [...files].flatMap((file) => sourceRpmOf(file) ?? []);
}

/**
 * `almalinux-8`, from the first dist tag. Records do not name their release otherwise; only the file's location does.
 */
function shortOf(packages: readonly unknown[]): string {
  for (const value of packages) {
    const entry = objectOf(value);
    const release = entry === null ? null : fieldOf(entry, 'release');
    const tag = typeof release === 'string' ? distTagOf(release.slice(0, maxReleaseCharacters)) : null;
    if (tag?.family === 'el') return `almalinux-${tag.number}`;
  }
  return '';
}

function moduleOf(entry: JsonObject | null): string {
  const label = entry === null ? null : fieldOf(entry, 'module');
  return typeof label === 'string' ? label : '';
}
