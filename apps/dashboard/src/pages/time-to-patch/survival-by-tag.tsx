import type { severityOrder } from '@plimsoll/words';
import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../api/queries.ts';
import { Panel } from '../../design/page/page.tsx';
import { Failed, Loading } from '../../design/states.tsx';
import { printable } from '../../design/text/printable.ts';
import type { Period } from './period.ts';
import type { TimesRow } from './rows-of-times.ts';
import { Survival } from './survival.tsx';

const looks: readonly (readonly [colour: string, dash: readonly number[]])[] = [
  ['--accent', []],
  ['--important', [10, 4]],
  ['--good', [4, 4]],
  ['--critical', [1.5, 4]],
  ['--neutral', [12, 4, 2, 4]],
];

interface SurvivalByTagProps {
  readonly period: Period;
  readonly severity: (typeof severityOrder)[number] | undefined;
  readonly tags: readonly string[];
}

/** The curves of several tags; a host with two of them is in both. */
export function SurvivalByTag({ period, severity, tags }: SurvivalByTagProps) {
  const shown = tags.slice(0, looks.length);
  const queries = useQueries({
    queries: shown.map((tag) =>
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
  const rows = shown.flatMap((tag, n): readonly TimesRow[] => {
    const times = queries[n]?.data?.all;
    const [colour, dash] = looks[n] ?? ['--neutral', []];
    return times === undefined ? [] : [{ id: tag, words: printable(tag, 60), colour, dash, times }];
  });
  return (
    <Panel title="Still open after, by tag">
      {failed !== undefined ? (
        <Failed error={failed.error} retry={() => void failed.refetch()} />
      ) : rows.length < shown.length ? (
        <Loading what="Computing the times of each tag" />
      ) : (
        <Survival rows={rows} by="tag" />
      )}
    </Panel>
  );
}
