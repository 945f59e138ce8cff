import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ManifestInventory } from '../manifest.ts';
import { isAptFolder, reportOfAptFolder } from './apt-folder.ts';
import { type HostList, reportOfHostList } from './host-list.ts';
import { type Inventory, InventoryError, inventoryOfReport } from './inventory.ts';
import { readPackageTable } from './package-table.ts';
import { readVulsResult } from './vuls-result.ts';

/** The inventories of a folder, and the unreadable files that look like one. */
export interface FoundInventories {
  readonly inventories: readonly Inventory[];
  readonly unread: readonly { readonly name: string; readonly detail: string }[];
}

const extensions: ReadonlySet<string> = new Set(['.json', '.tsv', '.report']);

/**
 * Reads every inventory below a folder, by name. Skips `expected`, which contains expectations. Prefers a `.json` to a
 * `.tsv` of the same name, because it has more data.
 */
export function findInventories(
  folder: string,
  stated: ReadonlyMap<string, ManifestInventory>,
  receivedAt: Date,
): FoundInventories {
  const inventories: Inventory[] = [];
  const unread: { name: string; detail: string }[] = [];
  for (const file of filesBelow(folder, '')) {
    const name = file.replace(/\.(?:json|tsv|report)$/, '');
    try {
      const report = reportOf(path.join(folder, file), stated.get(name) ?? null);
      if (report !== null) inventories.push(inventoryOfReport(name, report, receivedAt));
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      unread.push({ name, detail: error.message });
    }
  }
  return { inventories, unread };
}

/** Possible inventory files and folders; sorted, relative to `folder`. */
function filesBelow(folder: string, below: string): readonly string[] {
  const entries = readdirSync(path.join(folder, below), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(below, entry.name);
      if (entry.isDirectory()) {
        if (file === 'expected') return [];
        return isAptFolder(path.join(folder, file)) ? [file] : filesBelow(folder, file);
      }
      const twin = path.join(folder, file.replace(/\.tsv$/, '.json'));
      const isSecond = file.endsWith('.tsv') && existsSync(twin);
      return extensions.has(path.extname(file)) && !isSecond ? [file] : [];
    });
}

/** The report in a file, or built from it; null for other JSON, such as a manifest. */
function reportOf(file: string, stated: ManifestInventory | null): string | null {
  if (isAptFolder(file)) return reportOfAptFolder(file);
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.report')) return text;
  const list = file.endsWith('.tsv') ? readPackageTable(text, tableHost(stated)) : vulsHost(text);
  return list === null ? null : reportOfHostList(list);
}

function tableHost(stated: ManifestInventory | null) {
  if (stated === null) return null;
  return { os: { id: stated.os, version: stated.version }, runningRelease: stated.kernel };
}

function vulsHost(text: string): HostList | null {
  try {
    return readVulsResult(JSON.parse(text));
  } catch (error) {
    throw new InventoryError('is not valid JSON', { cause: error });
  }
}
