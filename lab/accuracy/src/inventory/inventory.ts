import { releaseFactsOf } from '@plimsoll/db';
import type { Release, Snapshot } from '@plimsoll/model';
import { parseReport } from '@plimsoll/reports';

/** The packages of one host from a file. */
export interface Inventory {
  /** Its path below the folder of inventories, without the extension. */
  readonly name: string;
  readonly snapshot: Snapshot;
}

/** A file that is not an inventory, with the reason. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';
}

/** Parses a collector's report as the service does. Throws InventoryError with the lines for which it is refused. */
export function inventoryOfReport(name: string, report: string, receivedAt: Date): Inventory {
  const parsed = parseReport(report, { receivedAt });
  if (parsed.kind === 'report_invalid') {
    const errors = parsed.errors.slice(0, 3).map(({ pointer, detail }) => `${pointer} ${detail}`);
    throw new InventoryError(`is refused as a report: ${errors.join('; ')}`);
  }
  return { name, snapshot: parsed.snapshot };
}

/** The release of a host. */
export function releaseOf({ snapshot }: Inventory): Release {
  return releaseFactsOf(snapshot.platform).name;
}
