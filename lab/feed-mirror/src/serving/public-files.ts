import { readFileSync } from 'node:fs';
import { feeds } from '@plimsoll/advisories';
import type { ServedFile } from '../layout.ts';

const index = 'repodata/repomd.xml';
const list = '/mirror.list';

/** The files of all publishers by public address. */
export class PublicFiles {
  private readonly byUrl = new Map<string, ServedFile>();
  /** Public folders by folder below the base address of a mirror, both with a slash at the end. */
  private readonly folders = new Map<string, string>();
  /** Public addresses by path below the base address of a mirror. */
  private readonly paths = new Map<string, string>();

  constructor(files: readonly ServedFile[]) {
    for (const file of files) this.put(file);
    for (const { url, path } of feeds.flatMap((feed) => feed.files ?? [])) this.mirror(url, path);
  }

  /** Adds a file, or replaces the one at its address. */
  put(file: ServedFile): void {
    this.byUrl.set(keyOf(new URL(file.url)), file);
  }

  /** Public hosts, sorted. */
  hosts(): readonly string[] {
    return [...new Set([...this.byUrl.keys()].map((url) => new URL(url).hostname))].sort();
  }

  find(url: URL): ServedFile | null {
    return this.byUrl.get(keyOf(url)) ?? this.byUrl.get(keyOf(new URL(url.pathname, url))) ?? null;
  }

  /** The address after all redirects. */
  resolve(url: URL): URL {
    const file = this.find(url);
    return file !== null && 'redirectTo' in file ? this.resolve(new URL(file.redirectTo)) : url;
  }

  /** The public address of a path below the base address of a mirror; null if no feed has one there. */
  publicUrl(path: string): URL | null {
    const plain = decodeURIComponent(path).replace(/^\//, '');
    const whole = this.paths.get(plain);
    if (whole !== undefined) return new URL(whole);
    for (let at = plain.lastIndexOf('/'); at !== -1; at = plain.lastIndexOf('/', at - 1)) {
      const folder = this.folders.get(plain.slice(0, at + 1));
      if (folder !== undefined) return new URL(`${folder}${plain.slice(at + 1)}`);
      if (at === 0) break;
    }
    return null;
  }

  /** Names directly below a folder, whose path ends with a slash; empty if there is no such folder. */
  namesIn(folder: URL): readonly string[] {
    const names = [...this.byUrl.keys()]
      .filter((url) => url.startsWith(folder.href))
      .map((url) => url.slice(folder.href.length).replace(/\/.*$/, '/'));
    return [...new Set(names)].sort();
  }

  private mirror(url: string, path: string): void {
    if (!path.endsWith(index)) {
      this.paths.set(path, url);
      // Further files in the folder that a list names.
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      if (folder !== '') this.folders.set(folder, new URL('.', url).href);
      return;
    }
    const folder = url.endsWith(list) ? this.listedFolder(url) : url.slice(0, -index.length);
    if (folder !== null) this.folders.set(path.slice(0, -index.length), folder);
  }

  /** A mirror has the repository itself where its publisher has the list of it. */
  private listedFolder(url: string): string | null {
    const file = this.find(new URL(url));
    if (file === null || !('content' in file)) return null;
    return `${readFileSync(file.content.path, 'utf8').trim()}/`;
  }
}

/** Parameters in any order are the same address. */
function keyOf(url: URL): string {
  const sorted = new URL(url);
  sorted.searchParams.sort();
  return sorted.href;
}
