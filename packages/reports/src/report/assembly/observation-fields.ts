import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { ReportHeader } from '../report-header.ts';
import type { ObservedFacts, ObservedRefresh } from '../sections/observed.ts';

/** The fields of a snapshot about its creation and its observations. */
export type ObservationFields = Pick<
  SnapshotFields,
  'schemaVersion' | 'collectedAt' | 'collectorVersion' | 'observed'
>;

type RefreshFields = NonNullable<SnapshotFields['observed']>['refreshed'][number];

/** The report's own data. A text report has the first schema version. */
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
