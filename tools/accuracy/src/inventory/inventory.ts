import type { Snapshot } from '@plimsoll/model';
import { parseReport } from '@plimsoll/reports';

/** One host's packages, as some file has them. */
export interface Inventory {
  /** Its path below the folder of inventories, without the extension. */
  readonly name: string;
  readonly snapshot: Snapshot;
}

/** A file that is no inventory: the reason, for a person. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';
}

/** Reads a collector's report as the service does; throws InventoryError with the lines it is refused for. */
export function inventoryOfReport(name: string, report: string, receivedAt: Date): Inventory {
  const parsed = parseReport(report, { receivedAt });
  if (parsed.kind === 'report_invalid') {
    const errors = parsed.errors.slice(0, 3).map(({ pointer, detail }) => `${pointer} ${detail}`);
    throw new InventoryError(`is refused as a report: ${errors.join('; ')}`);
  }
  return { name, snapshot: parsed.snapshot };
}
