import { TriState } from '@plimsoll/proto';
import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { ReportFacts } from '../section-registry.ts';

type ServiceFields = NonNullable<SnapshotFields['services']>;

/** The services to restart. "None" needs a source that checked every process. */
export function serviceFields({ needrestart, 'deleted-files': deleted, units }: ReportFacts): ServiceFields {
  const found = new Map<string, string>();
  for (const { name, kind } of needrestart?.toRestart ?? [])
    found.set(name, `needrestart names this ${kind}`);
  for (const [name, files] of deleted?.toRestart ?? []) found.set(name, reasonOf(files));
  const isComplete = needrestart?.isComplete === true || deleted?.isComplete === true;
  const restartRequired = found.size > 0 ? TriState.YES : isComplete ? TriState.NO : TriState.UNSPECIFIED;
  return {
    restartRequired,
    toRestart: [...found].map(([name, reason]) => ({ name, reason })),
    failedUnits: units ?? [],
    unitsKnown: units !== null,
  };
}

function reasonOf(files: readonly string[]): string {
  const [first = '', ...others] = [...new Set(files)].sort();
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `runs ${first}${more}, which an update replaced`;
}
