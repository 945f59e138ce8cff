import type { Advisory } from '@plimsoll/model';
import type { AdvisoryReading } from '../src/index.ts';

/** The advisory that a feed read in a record. Throws if it read none. */
export function advisoryRead(reading: AdvisoryReading): Advisory {
  const [advisory] = reading.kind === 'read' ? reading.items : [];
  if (advisory === undefined) throw new Error(`not an advisory: ${JSON.stringify(reading)}`);
  return advisory;
}
