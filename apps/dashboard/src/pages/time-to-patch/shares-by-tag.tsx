import type { severityOrder } from '@plimsoll/words';
import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../api/queries.ts';
import { Panel } from '../../design/page/page.tsx';
import { Failed, Loading } from '../../design/states.tsx';
import { printable } from '../../design/text/printable.ts';
import type { Period } from './period.ts';
import { areAllKnown, Shares } from './share-table.tsx';

interface SharesByTagProps {
  readonly period: Period;
  readonly severity: (typeof severityOrder)[number] | undefined;
  readonly tags: readonly string[];
}

/** The shares of several tags; a host with two of them is in both. */
export function SharesByTag({ period, severity, tags }: SharesByTagProps) {
  const queries = useQueries({
    queries: tags.map((tag) =>
      apiQuery('/fleet/time-to-patch', {
        query: {
          from: period.from,
          ...(period.to !== null && { to: period.to }),
          tag: [tag],
          ...(severity !== undefined && severity !== 'none' && { severity }),
        },
      }),
    ),
  });
  const failed = queries.find(({ isError }) => isError);
  const rows = tags.flatMap((tag, n) => {
    const times = queries[n]?.data;
    return times === undefined
      ? []
      : [{ id: tag, words: printable(tag, 60), times: times.all, isKnown: areAllKnown(times) }];
  });
  return (
    <Panel title="Share patched within, by tag" flush>
      {failed !== undefined ? (
        <Failed error={failed.error} retry={() => void failed.refetch()} />
      ) : rows.length < tags.length ? (
        <Loading what="Computing the times of each tag" />
      ) : (
        <Shares rows={rows} by="Tag" />
      )}
    </Panel>
  );
}
