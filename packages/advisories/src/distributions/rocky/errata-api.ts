import type { JsonObject } from '@plimsoll/model';
import type { RecordContext } from '../../feeds/feed.ts';
import { fieldOf, objectOf } from '../../json-fields.ts';

/** Special interest groups publish as `Rocky Linux SIG Cloud 8` and are not part of the distribution. */
const product = /^Rocky Linux (\d{1,2})$/;
const nevra = /^(.+)-(?:(\d+):)?([^-:]+)-([^-:]+)\.([a-z0-9_]+)$/;
const maxCharacters = 500;

/**
 * Converts a record of Rocky's errata API to the form of an `<update>`. Its packages are texts such as
 * `perl-4:5.26.3-422.el8.x86_64.rpm`; modules appear only in the synopsis. Each of its releases becomes a collection;
 * if the file is for one release, only that one. Listed source packages cover everything built from them. Values of a
 * wrong type are kept, so that the reader of updates reports them.
 */
export function convertRockyErratum(record: unknown, { release }: RecordContext): unknown {
  const erratum = objectOf(record);
  if (erratum === null) return record;
  const rpms = objectOf(fieldOf(erratum, 'rpms'));
  return {
    id: fieldOf(erratum, 'name'),
    type: wordOf(fieldOf(erratum, 'type'), 'TYPE_'),
    severity: wordOf(fieldOf(erratum, 'severity'), 'SEVERITY_'),
    title: fieldOf(erratum, 'synopsis'),
    description: fieldOf(erratum, 'description'),
    issued: fieldOf(erratum, 'publishedAt'),
    references: cvesOf(fieldOf(erratum, 'cves')),
    collections:
      rpms === null ? fieldOf(erratum, 'rpms') : collectionsOf(rpms, release?.split(':')[1] ?? null),
  };
}

/** Returns `SECURITY` for `TYPE_SECURITY`; `UNKNOWN` is no value. */
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

function collectionsOf(rpms: JsonObject, wanted: string | null): readonly unknown[] {
  return Object.entries(rpms).flatMap(([name, list]) => {
    const number = product.exec(name)?.[1];
    if (number === undefined || (wanted !== null && number !== wanted)) return [];
    const entry = objectOf(list);
    const nvras = entry === null ? list : fieldOf(entry, 'nvras');
    if (!Array.isArray(nvras)) return [{ name, packages: nvras }];
    return [{ name, packages: nvras.map(packageOf), sources: nvras.flatMap((nvra) => sourceOf(nvra) ?? []) }];
  });
}

/**
 * The source package in a text, without its epoch, because binary packages do not state their source's epoch; null for
 * other packages.
 */
function sourceOf(value: unknown): object | null {
  if (typeof value !== 'string' || value.length > maxCharacters) return null;
  const [, name, , version, release, arch] = nevra.exec(value.replace(/\.rpm$/, '')) ?? [];
  return name !== undefined && arch === 'src' ? { name, version, release } : null;
}

function packageOf(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > maxCharacters) return value;
  const [, name, epoch, version, release, arch] = nevra.exec(value.replace(/\.rpm$/, '')) ?? [];
  return name === undefined ? value : { name, epoch: epoch ?? '0', version, release, arch };
}
