import type { Release } from '@plimsoll/model';
import type { Inventory } from '../inventory/inventory.ts';
import { releaseOf } from '../inventory/inventory.ts';
import type { Manifest, ManifestRebuilds } from '../manifest.ts';
import type { EvaluationGround } from '../run-evaluations.ts';
import { checkRebuilds, type RebuildCheck, type VendorBook } from './check-rebuilds.ts';
import { rebuilds, relabelled } from './relabel.ts';

/** The releases of hosts, and those that hosts of the manifest's rebuild checks are compared as. */
export function wantedReleases(inventories: readonly Inventory[], manifest: Manifest): ReadonlySet<Release> {
  const compared = new Set(manifest.rebuilds.flatMap((entry) => entry.inventories));
  return new Set(
    inventories.flatMap((inventory) => [
      releaseOf(inventory),
      ...(compared.has(inventory.name) ? rebuilds.map((os) => releaseOf(relabelled(inventory, os))) : []),
    ]),
  );
}

/**
 * Runs the manifest's rebuild checks on hosts whose name contains `only`. `lacking`: absent hosts and feeds,
 * each a sentence.
 */
export function runRebuilds(
  ground: EvaluationGround,
  only: string,
): { readonly checks: readonly RebuildCheck[]; readonly lacking: readonly string[] } {
  const checks: RebuildCheck[] = [];
  const lacking: string[] = [];
  for (const entry of ground.manifest.rebuilds) {
    const books = vendorBooks(ground, entry);
    if (books.length < Object.keys(entry.feeds).length || books.length < 2) {
      lacking.push(`the comparison of ${Object.keys(entry.feeds).join(', ')} lacks a feed`);
      continue;
    }
    const asOf = new Date(`${entry.asOf}T23:59:59.999Z`);
    for (const name of entry.inventories.filter((each) => each.includes(only))) {
      const inventory = ground.inventories.find((each) => each.name === name);
      if (inventory === undefined) lacking.push(`the comparison of rebuilds lacks the inventory ${name}`);
      else checks.push(...checkRebuilds(inventory, books, asOf));
    }
  }
  return { checks, lacking };
}

function vendorBooks(ground: EvaluationGround, { feeds }: ManifestRebuilds): readonly VendorBook[] {
  return rebuilds.flatMap((os) => {
    const read = ground.feeds.find(({ file }) => file === feeds[os])?.read;
    return read?.kind === 'read' ? [{ os, book: read.book }] : [];
  });
}
