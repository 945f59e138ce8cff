import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { PackageFile } from '../sections/apt-files.ts';
import type { AptSource } from '../sections/apt-sources.ts';
import { suiteOf, vendorOf } from './apt-origin.ts';

type RepositoryFields = SnapshotFields['repositories'][number];

/** The repositories of an apt host; origin and suite are known of those whose lists were fetched. */
export function aptRepositories(
  sources: readonly AptSource[],
  files: ReadonlyMap<string, PackageFile>,
): readonly RepositoryFields[] {
  const bySource = new FilesBySource(files);
  return sources.map((source) => {
    const file = bySource.of(source);
    return {
      id: listName(source),
      url: source.url,
      enabled: source.enabled,
      suite: file === undefined ? source.suite : suiteOf(file),
      origin: file === undefined ? '' : vendorOf(file),
    };
  });
}

/**
 * Sources on a server whose lists are not there: neither does apt know a package file of theirs, nor does `fetched` name
 * them. A source whose lists are empty is not missing.
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
      bySource.of(source) === undefined &&
      !fetched.has(listName(source)),
  );
}

/** Package files by what names their source: URL and suite. */
class FilesBySource {
  private readonly files = new Map<string, PackageFile>();

  constructor(files: ReadonlyMap<string, PackageFile>) {
    for (const [description, file] of files) {
      // `URL suite/component architecture Packages`, and `URL path/ Packages` where there are no components.
      const [url = '', place = ''] = description.split(' ', 2);
      const key = `${url} ${place.slice(0, Math.max(0, place.lastIndexOf('/')))}`;
      if (!this.files.has(key)) this.files.set(key, file);
    }
  }

  of({ url, suite }: AptSource): PackageFile | undefined {
    return this.files.get(`${url.replace(/\/$/, '')} ${suite.replace(/\/$/, '')}`);
  }
}

/**
 * What apt calls the lists of a source in its directory: `deb.debian.org_debian_dists_bookworm`. A suite that ends in a
 * slash is a path of its own.
 */
export function listName({ url, suite }: AptSource): string {
  const place = url.replace(/^[a-z0-9+.-]*:\/*/i, '').replace(/\/$/, '');
  const path = suite.endsWith('/') ? `${place}/${suite.slice(0, -1)}` : `${place}/dists/${suite}`;
  return path.replace(/[\\|{}[\]<>"^~_=!@#$%&*]/g, quote).replaceAll('/', '_');
}

function quote(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
