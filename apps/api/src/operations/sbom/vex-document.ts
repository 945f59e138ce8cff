import { AppError } from '@plimsoll/model';
import { csafVexOf } from './csaf-vex.ts';
import type { CveStatus } from './cve-statuses.ts';
import { openVexOf, type VexMetadata } from './openvex.ts';

/** Statuses as a document. Throws `conflict` without any. */
export function vexDocument(
  statuses: readonly CveStatus[],
  {
    format,
    origin,
    metadata,
  }: { readonly format: 'openvex' | 'csaf'; readonly origin: string; readonly metadata: VexMetadata },
) {
  // Both formats need a statement; none would also read as "nothing is affected".
  if (statuses.length === 0)
    throw new AppError(
      'conflict',
      'No open vulnerability is known here, and the format has no document without statements. The CycloneDX document says what is known.',
    );
  return format === 'openvex' ? openVexOf(statuses, metadata) : csafVexOf(statuses, metadata, origin);
}
