import { distributionOf } from '@plimsoll/advisories';
import type { HostComparison } from '@plimsoll/contract';
import type { HostToAssess } from '@plimsoll/db';
import { compareText, groupBy } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';

type Packages = NonNullable<HostComparison['packages']>;

/**
 * The packages of two hosts by name and architecture, in this order. Packages of the architecture of their own host count as
 * of one architecture, so that hosts of different machines can be compared.
 */
export function comparePackages(a: HostToAssess, b: HostToAssess): Packages {
  const [had, has] = [versionsOf(a), versionsOf(b)];
  const isOrdered = schemeOf(a) !== null && schemeOf(a) === schemeOf(b);
  let same = 0;
  const onlyA: Packages['only_a'] = [];
  const onlyB: Packages['only_b'] = [];
  const different: Packages['different'] = [];
  for (const key of [...new Set([...had.keys(), ...has.keys()])].sort(compareText)) {
    const [one, other] = [had.get(key), has.get(key)];
    if (one === undefined || other === undefined) {
      if (one !== undefined) onlyA.push(one);
      if (other !== undefined) onlyB.push(other);
    } else if (one.versions.join('\0') === other.versions.join('\0')) same += 1;
    else
      different.push({
        name: one.name,
        architecture: one.architecture,
        a: one.versions,
        b: other.versions,
        newer: isOrdered ? newerOf(a, one.versions, other.versions) : null,
      });
  }
  return { same, only_a: onlyA, only_b: onlyB, different };
}

/** The key by which packages of two hosts are the same: their name and architecture. */
export function packageKey(
  { name, architecture }: { readonly name: string; readonly architecture: string },
  { facts }: HostToAssess,
): string {
  return `${name}\0${architecture === facts.platform.architecture ? 'own' : architecture}`;
}

function versionsOf(host: HostToAssess): ReadonlyMap<string, Packages['only_a'][number]> {
  const groups = groupBy(host.packages, ({ version }) => packageKey(version, host));
  return new Map(
    [...groups].map(([key, some]) => [
      key,
      {
        name: some[0]?.version.name ?? '',
        architecture: some[0]?.version.architecture ?? '',
        versions: some.map(({ version }) => version.version).sort(compareText),
      },
    ]),
  );
}

function schemeOf({ release }: HostToAssess) {
  return distributionOf(release)?.scheme ?? null;
}

/** Which list has the highest version; null if versions cannot be parsed or the highest are equal. */
function newerOf(host: HostToAssess, a: readonly string[], b: readonly string[]): 'a' | 'b' | null {
  const scheme = schemeOf(host);
  if (scheme === null) return null;
  const keysOf = (texts: readonly string[]) => texts.map((text) => versionKey(scheme, text));
  const [one, other] = [highestOf(keysOf(a)), highestOf(keysOf(b))];
  if (one === null || other === null) return null;
  const order = compareKeys(one, other);
  return order === 0 ? null : order > 0 ? 'a' : 'b';
}

function highestOf(keys: readonly ReturnType<typeof versionKey>[]): Uint8Array | null {
  let highest: Uint8Array | null = null;
  for (const one of keys) {
    if (one.kind !== 'key') return null;
    if (highest === null || compareKeys(one.key, highest) > 0) highest = one.key;
  }
  return highest;
}
