import type { AffectedPackage, Rating, Release } from '@plimsoll/model';
import { compareText, type JsonObject } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { buildsKey } from '../builds.ts';
import { unreadableFix } from '../feeds/advisories/advisory-feed.ts';
import { fieldOf, type JsonFieldReader, type LocatedObject } from '../json-fields.ts';
import type { RecordIssues } from '../record-issues.ts';
import { isModularRelease, streamOf, streamsInTitle } from '../rpm/module-stream.ts';
import { isRpmPackageName } from '../rpm/package-name.ts';
import type { UpdateDialect } from './update-dialect.ts';

/** Input of reading collections besides the collections. */
interface CollectionReading {
  /** The update's id. */
  readonly id: string;
  readonly release: Release;
  readonly title: string;
  readonly rating: Rating;
  readonly dialect: UpdateDialect;
  readonly fields: JsonFieldReader;
  readonly issues: RecordIssues;
}

const maxPackages = 50_000;
const maxCharacters = 300;
const architecture = /^[a-z0-9_]{1,30}$/;
const epochForm = /^\d{1,10}$/;
const sources: ReadonlySet<string> = new Set(['src', 'nosrc']);

/** A fixed build: of a binary package, or of the source of its binary packages. Version and key are null if unreadable. */
interface FixedBuild {
  readonly names: 'package' | 'source';
  readonly name: string;
  readonly architecture: string;
  readonly module: string;
  readonly line: string;
  readonly version: string | null;
  readonly key: Uint8Array | null;
}

/**
 * The statements of an update's collections: one per package name, module stream, line and fixed version, with its
 * architectures, sorted. Skips builds for other releases and source packages among binary ones; a collection's
 * separate `sources` give statements that cover everything built from them, for the architectures that they name. Of several versions for one architecture
 * the lowest applies: a package that has reached one of them is fixed. A package of which no version can be read has a
 * statement without a fix; see Fix.
 */
export function readCollections(
  collections: readonly LocatedObject[],
  reading: CollectionReading,
): readonly AffectedPackage[] {
  const lowest = new Map<string, FixedBuild>();
  let left = maxPackages;
  for (const { entry, pointer } of collections) {
    const stream = collectionStream(entry, pointer, reading);
    for (const list of ['packages', 'sources'] as const) {
      const packages = reading.fields.objects(entry, list, left, pointer);
      left -= packages.length;
      for (const located of packages) {
        const builds = list === 'packages' ? readBuilds : readSourceBuilds;
        for (const build of builds(located, stream, reading)) {
          const key = `${build.names} ${build.name} ${build.architecture} ${build.module} ${build.line}`;
          const other = lowest.get(key);
          if (other === undefined || isLower(build, other)) lowest.set(key, build);
        }
      }
    }
  }
  return statementsOf([...lowest.values()], reading);
}

/** Whether a build has a lower version than another one; unreadable versions are the highest. */
function isLower(one: FixedBuild, other: FixedBuild): boolean {
  if (one.key === null || other.key === null) return one.key !== null;
  return compareKeys(one.key, other.key) < 0;
}

/** The stream in a collection's `<module>`; null if absent. */
function collectionStream(
  collection: JsonObject,
  pointer: string,
  { fields }: CollectionReading,
): string | null {
  if (fieldOf(collection, 'module') === undefined) return null;
  const module = fields.object(collection, 'module', pointer);
  const at = `${pointer}/module`;
  const name = fields.text(module, 'name', maxCharacters, at) ?? '';
  return streamOf(name, fields.text(module, 'stream', maxCharacters, at) ?? '');
}

/** The builds of a binary package, one per possible module stream; empty if nothing is comparable. */
function readBuilds(
  located: LocatedObject,
  stream: string | null,
  reading: CollectionReading,
): readonly FixedBuild[] {
  const { entry, pointer } = located;
  const arch = reading.fields.text(entry, 'arch', maxCharacters, pointer)?.trim() ?? '';
  if (sources.has(arch)) return [];
  const builds = readNamedBuilds(located, stream, reading);
  if (builds.length === 0 || architecture.test(arch)) {
    return builds.map((build) => ({ ...build, names: 'package', architecture: arch }));
  }
  reading.issues.add(`${pointer}/arch`, 'wrong_type');
  return builds.map((build) => ({ ...build, names: 'package', architecture: '', version: null, key: null }));
}

/**
 * The build of a source package, with its version as binary packages state it; for all architectures if it names none.
 */
function readSourceBuilds(
  located: LocatedObject,
  stream: string | null,
  reading: CollectionReading,
): readonly FixedBuild[] {
  const { entry, pointer } = located;
  const arch = reading.fields.text(entry, 'arch', maxCharacters, pointer)?.trim() ?? '';
  return readNamedBuilds(located, stream, reading).map((build) => ({
    ...build,
    names: 'source',
    architecture: arch,
  }));
}

function readNamedBuilds(
  { entry, pointer }: LocatedObject,
  stream: string | null,
  reading: CollectionReading,
): readonly Omit<FixedBuild, 'names' | 'architecture'>[] {
  const { id, fields, issues, dialect, release: target } = reading;
  const text = (key: string): string => fields.text(entry, key, maxCharacters, pointer)?.trim() ?? '';
  const name = text('name');
  if (!isRpmPackageName(name)) {
    issues.add(`${pointer}/name`, 'invalid_package_name');
    return [];
  }
  const version = evrOf(entry, text, pointer, issues);
  const release = text('release');
  const isReadable = version !== null || isVersionPart(release);
  if (isReadable && !dialect.isBuildFor(release, target)) {
    issues.add(`${pointer}/release`, 'other_release');
    return [];
  }
  const modules = modulesOf(stream, release, reading.title);
  if (modules.length === 0) issues.add(pointer, 'stream_unknown');
  const line = version === null ? '' : dialect.lineOf(name, version.text, id);
  const read = { version: version?.text ?? null, key: version?.key ?? null };
  return modules.map((module) => ({ name, module, line, ...read }));
}

/** `[epoch:]version-release` with its key; a missing epoch, or `(none)`, is 0. Null, with an issue, if invalid. */
function evrOf(
  entry: JsonObject,
  text: (key: string) => string,
  pointer: string,
  issues: RecordIssues,
): { readonly text: string; readonly key: Uint8Array } | null {
  const stated = fieldOf(entry, 'epoch');
  const epoch = typeof stated === 'number' ? String(stated) : text('epoch');
  const version = text('version');
  const release = text('release');
  const isZero = epoch === '' || epoch === '(none)' || /^0+$/.test(epoch);
  const evr = `${isZero ? '' : `${epoch}:`}${version}-${release}`;
  const plain = isVersionPart(version) && isVersionPart(release);
  const parsed = plain && (isZero || epochForm.test(epoch)) ? versionKey('rpm', evr) : null;
  if (parsed?.kind === 'key') return { text: evr, key: parsed.key };
  issues.add(`${pointer}/version`, 'unparseable_version');
  return null;
}

function isVersionPart(text: string): boolean {
  return text !== '' && !/[-:\s]/.test(text);
}

/** The streams of a build: the collection's; for a module build without one, the streams in the title. */
function modulesOf(stream: string | null, release: string, title: string): readonly string[] {
  if (stream !== null) return [stream];
  return isModularRelease(release) ? streamsInTitle(title) : [''];
}

function statementsOf(
  builds: readonly FixedBuild[],
  { release, rating }: CollectionReading,
): readonly AffectedPackage[] {
  const groups = new Map<string, FixedBuild[]>();
  for (const build of builds) {
    const key = `${build.names} ${build.name} ${build.module} ${build.line} ${build.version}`;
    const others = groups.get(key);
    if (others === undefined) groups.set(key, [build]);
    else others.push(build);
  }
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      return first === undefined ? [] : [statementOf(first, group, release, rating)];
    })
    .sort((a, b) => compareText(a.name, b.name) || compareText(buildsKey(a.builds), buildsKey(b.builds)));
}

function statementOf(
  { names, name, module, line, version }: FixedBuild,
  group: readonly FixedBuild[],
  release: Release,
  rating: Rating,
): AffectedPackage {
  const named = [...new Set(group.map((build) => build.architecture))].sort(compareText);
  const architectures = named.includes('') ? [] : named;
  return {
    release,
    name,
    ...(names === 'source' ? { names } : {}),
    ...rating,
    fix: version === null ? unreadableFix : { kind: 'fixed', version, service: null },
    builds: { architectures, module, line: line === '' ? null : line },
  };
}
