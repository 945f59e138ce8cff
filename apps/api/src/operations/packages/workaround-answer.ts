import type { AdvisoryRecord } from '@plimsoll/db';

/** A vendor's advice as the contract has it; without an address of its own with that of its advisory. */
export function workaroundAnswer(
  { text, url, packages }: AdvisoryRecord['workarounds'][number],
  ofAdvisory: string,
) {
  return { text, source_url: url === '' ? ofAdvisory : url, packages: [...packages] };
}
