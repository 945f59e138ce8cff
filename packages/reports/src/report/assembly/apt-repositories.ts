import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { PackageFile } from '../sections/apt-files.ts';
import type { AptSource } from '../sections/apt-sources.ts';
import { suiteOf, vendorOf } from './apt-origin.ts';

type RepositoryFields = SnapshotFields['repositories'][number];

/**
 * The repositories of an apt host: each package list of each enabled source, by apt's name for it, which ends in the
 * component and the architecture: `deb.debian.org_debian_dists_bookworm_main_binary-amd64`. A source that is disabled,
 * is in a folder without components, or has no list yet is one repository with the name of its Release file. Origin
 * and suite are known only for fetched lists.
 */
export function aptRepositories(
  sources: readonly AptSource[],
  files: ReadonlyMap<string, PackageFile>,
): readonly RepositoryFields[] {
  const bySource = new FilesBySource(files);
  return sources.flatMap((source) => {
    const lists = bySource.of(source);
    if (!source.enabled || lists.length === 0) {
      return [{ id: listName(source), ...placeOf(source, lists[0]) }];
    }
    return lists.map((file) => ({ id: packageListName(source, file), ...placeOf(source, file) }));
  });
}

function placeOf(source: AptSource, file: PackageFile | undefined): Omit<RepositoryFields, 'id'> {
  return {
    url: source.url,
    enabled: source.enabled,
    suite: file === undefined ? source.suite : suiteOf(file),
    origin: file === undefined ? '' : vendorOf(file),
  };
}

/** Builds the name from `URL suite/component architecture Packages` and the name of the Release file. */
function packageListName(source: AptSource, { description }: PackageFile): string {
  const [, place = '', architecture = ''] = description.split(' ', 3);
  const component = place.slice(place.lastIndexOf('/') + 1);
  if (component === '') return listName(source);
  return `${listName(source)}_${component}_binary-${architecture}`;
}

/**
 * Sources on a server whose lists are missing: apt knows no package file of them, and `fetched` does not contain them.
 * A source with empty lists is not missing.
 */
export function missingLists(
  sources: readonly AptSource[],
  files: ReadonlyMap<string, PackageFile>,
  fetched: ReadonlySet<string>,
): readonly AptSource[] {
  const bySource = new FilesBySource(files);
  return sources.filter(
    (source) =>
      source.enabled &&
      /^https?:\/\//.test(source.url) &&
      bySource.of(source).length === 0 &&
      !fetched.has(listName(source)),
  );
}

/** Package files by URL and suite of their source. */
class FilesBySource {
  private readonly files = new Map<string, PackageFile[]>();

  constructor(files: ReadonlyMap<string, PackageFile>) {
    for (const [description, file] of files) {
      // `URL suite/component architecture Packages`, or `URL path/ Packages` without components.
      const [url = '', place = ''] = description.split(' ', 2);
      const key = `${url.replace(/\/$/, '')} ${place.slice(0, Math.max(0, place.lastIndexOf('/')))}`;
      const group = this.files.get(key);
      if (group === undefined) this.files.set(key, [file]);
      else group.push(file);
    }
  }

  of({ url, suite }: AptSource): readonly PackageFile[] {
    return this.files.get(`${url.replace(/\/$/, '')} ${suite.replace(/\/$/, '')}`) ?? [];
  }
}

/**
 * apt's name for the lists of a source in its directory: `deb.debian.org_debian_dists_bookworm`. A suite that ends in
 * a slash is a path.
 */
export function listName({ url, suite }: AptSource): string {
  const place = url.replace(/^[a-z0-9+.-]*:(?:\/\/)?/i, '').replace(/\/$/, '');
  const path = suite.endsWith('/') ? `${place}/${suite.slice(0, -1)}` : `${place}/dists/${suite}`;
  return path.replace(/[\\|{}[\]<>"^~_=!@#$%&*]/g, quote).replaceAll('/', '_');
}

function quote(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
