import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { ReportHeader } from '../report-header.ts';
import type { ObservedFacts, ObservedRefresh } from '../sections/observed.ts';

/** The fields of a snapshot that say when and by what it was made, and what was observed. */
export type ObservationFields = Pick<
  SnapshotFields,
  'schemaVersion' | 'collectedAt' | 'collectorVersion' | 'observed'
>;

type RefreshFields = NonNullable<SnapshotFields['observed']>['refreshed'][number];

/** What a report says of itself. The text is a snapshot of the first schema. */
export function observationFields(
  { collectorVersion }: ReportHeader,
  observed: ObservedFacts | null,
): ObservationFields {
  return {
    schemaVersion: 1,
    collectorVersion,
    observed: {
      bootId: observed?.bootId ?? '',
      refreshed: (observed?.refreshed ?? []).map(refreshFields),
      ...(observed?.bootedAt == null ? {} : { bootedAt: observed.bootedAt }),
    },
    ...(observed?.collectedAt == null ? {} : { collectedAt: observed.collectedAt }),
  };
}

function refreshFields({ at, publishedAt, validUntil, ...rest }: ObservedRefresh): RefreshFields {
  return {
    ...rest,
    ...(at === null ? {} : { at }),
    ...(publishedAt === null ? {} : { publishedAt }),
    ...(validUntil === null ? {} : { validUntil }),
  };
}
