import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { ReportHeader } from '../report-header.ts';
import type { ObservedFacts } from '../sections/observed.ts';

/** The fields of a snapshot that say when and by what it was made, and what was observed. */
export type ObservationFields = Pick<
  SnapshotFields,
  'schemaVersion' | 'collectedAt' | 'collectorVersion' | 'observed'
>;

type Refreshes = NonNullable<SnapshotFields['observed']>['refreshed'];

/** What a report says of itself. The text is a snapshot of the first schema. */
export function observationFields(
  { family, collectorVersion }: ReportHeader,
  observed: ObservedFacts | null,
): ObservationFields {
  const refreshed = observed?.refreshed ?? [];
  return {
    schemaVersion: 1,
    collectorVersion,
    observed: {
      bootId: observed?.bootId ?? '',
      refreshed: family === 'apt' ? refreshedTogether(refreshed) : refreshed,
      ...(observed?.bootedAt == null ? {} : { bootedAt: observed.bootedAt }),
    },
    ...(observed?.collectedAt == null ? {} : { collectedAt: observed.collectedAt }),
  };
}

/**
 * apt fetches all of its lists at once, but a list that its server says has not changed keeps its file and the file's
 * time: what the newest says is true of all.
 */
function refreshedTogether(refreshed: Refreshes): Refreshes {
  const newest = refreshed.reduce(
    (latest, { at }) => (at !== undefined && at.seconds > latest ? at.seconds : latest),
    0n,
  );
  return refreshed.map(({ repositoryId }) => ({ repositoryId, at: { seconds: newest, nanos: 0 } }));
}
