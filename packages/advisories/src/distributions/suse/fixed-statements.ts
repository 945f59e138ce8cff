import type { AffectedPackage, Rating } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import type { RecordTools } from '../../feeds/advisories/record-tools.ts';
import type { LocatedObject } from '../../json-fields.ts';
import type { OsvPlace } from '../../osv/dialect.ts';
import { readCollections } from '../../updateinfo/read-collections.ts';
import type { UpdateDialect } from '../../updateinfo/update-dialect.ts';
import { placesOfProduct } from './products.ts';

const maxIdCharacters = 1_000;

/** One build in one place. */
interface Build {
  readonly name: string;
  readonly version: string;
  readonly release: string;
  readonly arch: string;
  /** Its product, for messages. */
  readonly product: string;
}

/** The builds of a release for one kind of subscription, by name, architecture and version. */
interface PlacedBuilds {
  readonly place: OsvPlace;
  readonly builds: Map<string, Build>;
}

/**
 * The statements about fixed builds, from product ids such as `SUSE Linux Enterprise Server 15
 * SP5:bind-9.16.50-150500.8.21.1.x86_64`. A release gets a fix from any product that ships it; a build in a
 * product without a subscription needs no subscription. `unreadable`: products of the feed's releases without
 * a readable build.
 */
export function fixedStatements(
  productIds: Iterable<string>,
  rating: Rating,
  tools: RecordTools,
): readonly AffectedPackage[] | 'unreadable' {
  const placed = placedBuilds(productIds, tools);
  const free = [...placed.values()].filter(({ place }) => place.service === null);
  const freely = new Set(
    free.flatMap(({ place, builds }) => [...builds.keys()].map((key) => keyIn(place, key))),
  );
  const statements = [...placed.values()].flatMap(({ place, builds }) =>
    statementsIn(
      place,
      [...builds]
        .filter(([key]) => place.service === null || !freely.has(keyIn(place, key)))
        .map(([, build]) => build),
      rating,
      tools,
    ),
  );
  if (placed.size > 0 && statements.length === 0) return 'unreadable';
  return statements.sort((a, b) => compareText(a.release, b.release) || compareText(a.name, b.name));
}

function keyIn({ release, line }: OsvPlace, build: string): string {
  return `${release} ${line} ${build}`;
}

function placedBuilds(
  productIds: Iterable<string>,
  { issues }: RecordTools,
): ReadonlyMap<string, PlacedBuilds> {
  const placed = new Map<string, PlacedBuilds>();
  const placesOf = new Map<string, readonly OsvPlace[]>();
  for (const id of productIds) {
    if (id.length > maxIdCharacters) {
      issues.add('/product_tree', 'too_long');
      continue;
    }
    const end = id.indexOf(':');
    const product = end === -1 ? id : id.slice(0, end);
    const places = placesOf.get(product) ?? placesOfProduct(product);
    placesOf.set(product, places);
    const build = places.length === 0 ? null : buildOf(id.slice(end + 1), product);
    for (const place of places) {
      const key = `${place.release} ${place.line} ${place.service}`;
      const group = placed.get(key) ?? { place, builds: new Map<string, Build>() };
      placed.set(key, group);
      if (build === null) issues.add(`/product_tree (${id.slice(0, 200)})`, 'unparseable_version');
      else group.builds.set(`${build.name} ${build.arch} ${build.version}-${build.release}`, build);
    }
  }
  return placed;
}

/** `bind-9.16.50-150500.8.21.1.x86_64`; null for another form. */
function buildOf(text: string, product: string): Build | null {
  const dot = text.lastIndexOf('.');
  const beforeRelease = text.lastIndexOf('-', dot);
  const beforeVersion = text.lastIndexOf('-', beforeRelease - 1);
  if (dot === -1 || beforeRelease < 2 || beforeVersion < 1) return null;
  return {
    name: text.slice(0, beforeVersion),
    version: text.slice(beforeVersion + 1, beforeRelease),
    release: text.slice(beforeRelease + 1, dot),
    arch: text.slice(dot + 1),
    product,
  };
}

/** The statements in the form of updateinfo. */
function statementsIn(
  { release, line, service }: OsvPlace,
  builds: readonly Build[],
  rating: Rating,
  { fields, issues }: RecordTools,
): readonly AffectedPackage[] {
  const byProduct = new Map<string, Build[]>();
  for (const build of builds) {
    const others = byProduct.get(build.product);
    if (others === undefined) byProduct.set(build.product, [build]);
    else others.push(build);
  }
  const collections = [...byProduct].map(
    ([product, packages]): LocatedObject => ({
      entry: { packages: packages.map(({ product: _named, ...build }) => build) },
      pointer: `/product_tree (${product})`,
    }),
  );
  const dialect: UpdateDialect = { ...everyBuild, lineOf: () => line ?? '' };
  const statements = readCollections(collections, {
    id: '',
    release,
    title: '',
    rating,
    dialect,
    fields,
    issues,
  });
  return statements.map((statement) => ({
    ...statement,
    fix: statement.fix.kind === 'fixed' ? { ...statement.fix, service } : statement.fix,
  }));
}

/** SUSE's builds have no dist tag: the product states their release. */
const everyBuild: Omit<UpdateDialect, 'lineOf'> = {
  releaseOf: () => null,
  isBuildFor: () => true,
  severityOf: () => null,
  urlOf: () => '',
};
