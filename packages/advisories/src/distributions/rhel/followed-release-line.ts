import { mainLine } from '../../builds.ts';
import type { HostRepositories, ProductsOf } from '../../distribution.ts';
import { placeOfProduct } from './product.ts';

/** The content of one enabled repository for a host's release. */
interface Shipped {
  /** Lines of minor releases under extended support. */
  readonly lines: ReadonlySet<string>;
  /** Parts of the distribution, such as `baseos`. */
  readonly editions: ReadonlySet<string>;
}

/**
 * The build line that a RHEL host follows by its enabled repositories: `el9_0` if they ship a minor release under
 * extended support, `main` if they ship none. Empty if they ship nothing known, or contradict each other: two minor
 * releases, or one next to the main line of the same part of the distribution. In a repository for several minor
 * releases the host's own applies.
 */
export function followedReleaseLine(
  { platform, repositories }: HostRepositories,
  productsOf: ProductsOf,
): string {
  const [, major = '', minor = ''] = /^(\d{1,2})(?:\.(\d{1,2}))?/.exec(platform.osVersion) ?? [];
  if (major === '') return '';
  const shipped = repositories
    .filter(({ enabled }) => enabled)
    .flatMap(({ id }) => shippedBy(productsOf(id), `rhel:${major}`) ?? []);
  const own = `el${major}_${minor}`;
  const lines = new Set(shipped.flatMap((repository) => lineAmong(repository.lines, own) ?? []));
  const kept = shipped.filter((repository) => repository.lines.size > 0);
  const main = shipped.filter((repository) => repository.lines.size === 0);
  if (kept.length === 0) return main.length === 0 ? '' : mainLine;
  const keptEditions = new Set(kept.flatMap(({ editions }) => [...editions]));
  const isBeside = main.some(({ editions }) => [...editions].some((edition) => keptEditions.has(edition)));
  const [line] = lines;
  return lines.size === 1 && line !== undefined && !isBeside ? line : '';
}

/** Null for a repository that ships nothing for the release. */
function shippedBy(products: readonly string[], release: string): Shipped | null {
  const lines = new Set<string>();
  const editions = new Set<string>();
  for (const product of products) {
    const place = placeOfProduct(product);
    if (place === null || place.release !== release) continue;
    if (place.line !== null) lines.add(place.line);
    editions.add(product.split(':')[3] ?? '');
  }
  return editions.size === 0 ? null : { lines, editions };
}

function lineAmong(lines: ReadonlySet<string>, own: string): string | null {
  if (lines.has(own)) return own;
  const [only] = lines;
  return lines.size === 1 && only !== undefined ? only : null;
}
