import { sourceScope } from './source-scope.ts';

/** A package as an erratum lists it. */
export interface ListedPackage {
  /** Number of its release. */
  readonly number: string;
  /**
   * `perl-4:5.26.3-422.el8.x86_64.rpm`; other values are kept, so that the reader of updates reports them.
   */
  readonly nevra: unknown;
  /** Null: the erratum names no module for the package. */
  readonly module: { readonly name: string; readonly stream: string } | null;
}

interface NamedPackage {
  readonly name: string;
  readonly epoch: string;
  readonly version: string;
  readonly release: string;
  readonly arch: string;
}

interface ReadPackage extends ListedPackage {
  readonly named: NamedPackage | null;
}

const nevraForm = /^(.+)-(?:(\d+):)?([^-:]+)-([^-:]+)\.([a-z0-9_]+)$/;
const maxCharacters = 500;

/**
 * Groups an erratum's packages as collections of an `<update>`: one per release and module. Listed source
 * packages cover their binary packages on the architectures without a listed binary for the release.
 */
export function collectionsOf(listed: readonly ListedPackage[]): readonly object[] {
  const read = listed.map((entry) => ({ ...entry, named: readNevra(entry.nevra) }));
  return groupsOf(read, ({ number }) => number).flatMap((ofRelease) => {
    const architectures = ofRelease.flatMap(({ named }) => (named === null ? [] : [named.arch]));
    const scope = sourceScope(ofRelease[0]?.number ?? '', architectures);
    return groupsOf(ofRelease, moduleKey).map((members) => collectionOf(members, scope));
  });
}

function collectionOf(members: readonly ReadPackage[], scope: readonly string[] | null): object {
  const [first] = members;
  return {
    name: `Rocky Linux ${first?.number}`,
    ...(first === undefined || first.module === null ? {} : { module: first.module }),
    packages: members.map(({ named, nevra }) => named ?? nevra),
    sources: members.flatMap(({ named }) => (named?.arch === 'src' ? sourcesOf(named, scope) : [])),
  };
}

/**
 * A source package, once for each architecture in the scope; without its epoch, which binary packages do not
 * state.
 */
function sourcesOf({ name, version, release }: NamedPackage, scope: readonly string[] | null) {
  const source = { name, version, release };
  return scope === null ? [source] : scope.map((arch) => ({ ...source, arch }));
}

function groupsOf(
  members: readonly ReadPackage[],
  keyOf: (member: ReadPackage) => string,
): readonly (readonly ReadPackage[])[] {
  const groups = new Map<string, ReadPackage[]>();
  for (const member of members) {
    const group = groups.get(keyOf(member));
    if (group === undefined) groups.set(keyOf(member), [member]);
    else group.push(member);
  }
  return [...groups.values()];
}

function moduleKey({ module }: ReadPackage): string {
  return module === null ? '' : `${module.name}:${module.stream}`;
}

function readNevra(value: unknown): NamedPackage | null {
  if (typeof value !== 'string' || value.length > maxCharacters) return null;
  const [, name, epoch = '0', version, release, arch] = nevraForm.exec(value.replace(/\.rpm$/, '')) ?? [];
  if (name === undefined || version === undefined || release === undefined || arch === undefined) return null;
  return { name, epoch, version, release, arch };
}
