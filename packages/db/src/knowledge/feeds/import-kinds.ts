import type { FeedKind } from '@plimsoll/model';
import { advisoryImport } from './advisory-staging.ts';
import { cveImport } from './cve-staging.ts';
import type { ImportKind, KindStaging, StagingContext } from './import-kind.ts';
import { lifecycleImport } from './lifecycle-staging.ts';
import { repositoryImport } from './repository-staging.ts';

type ImportKinds = { readonly [K in FeedKind]: ImportKind<K> };

/** The import of each kind of feed. */
const importKinds: ImportKinds = {
  advisories: advisoryImport,
  cves: cveImport,
  repositories: repositoryImport,
  lifecycles: lifecycleImport,
};

/** The staging of an import, by kind. */
export type Stagings = { readonly [K in FeedKind]: KindStaging<K> };

/** Begins an import of all kinds. */
export async function beginStaging(context: StagingContext): Promise<Stagings> {
  const begun: [string, unknown][] = [];
  for (const [kind, { begin }] of Object.entries(importKinds)) begun.push([kind, await begin(context)]);
  return Object.fromEntries(begun) as Stagings; // One for each key of the table, in its order.
}

/** The number of items of a kind that one statement stages. */
export function itemsPerStage(kind: FeedKind): number {
  return importKinds[kind].itemsPerStage;
}
