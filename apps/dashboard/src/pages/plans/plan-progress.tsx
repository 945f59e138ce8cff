import type { PlanProgressHost, PlanProgress as Progress } from '@plimsoll/contract';
import { progressWords } from '@plimsoll/words';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/queries.ts';
import { Badge } from '../../design/badge.tsx';
import { amountInWords, groupedNumber } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { LongTable } from '../../design/table/long-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import styles from './plans.module.css';

const order: readonly PlanProgressHost['state'][] = [
  'open',
  'not_known',
  'not_reported',
  'not_plannable',
  'done',
  'nothing_planned',
];
const mostNamed = 5;

const columns: readonly Column<PlanProgressHost>[] = [
  column('host', 'Host', {
    width: 'clamp(6rem, 18vw, 16rem)',
    cell: ({ host_id, display_name }) => (
      <Link to="/hosts/$id" params={{ id: host_id }} search={{}}>
        <ForeignText text={display_name} />
      </Link>
    ),
    sortBy: ({ display_name }) => display_name,
  }),
  column('state', 'State', {
    width: 'clamp(6.5rem, 14vw, 12rem)',
    cell: ({ state }) => {
      const { words, tone, meaning } = progressWords[state];
      return (
        <span className={styles['state']}>
          <Badge tone={tone} title={meaning}>
            {words}
          </Badge>
        </span>
      );
    },
    sortBy: ({ state }) => order.indexOf(state),
  }),
  column('open', 'What is open, and why', {
    width: 'clamp(9rem, 30vw, 28rem)',
    cell: (host) => <WhatIsOpen host={host} />,
  }),
  column('reported', 'Reported', {
    width: '10rem',
    from: 'medium',
    cell: ({ reported_at }) => <Time at={reported_at} />,
    sortBy: ({ reported_at }) => reported_at ?? '',
  }),
];

/**
 * How long until the progress is read again; false: events say when. A report without changes causes none, but after it a
 * host has reported.
 */
function pollMsOf(progress: Progress | undefined): number | false {
  if (progress === undefined || progress.totals.not_reported === 0) return false;
  return progress.hosts.length > 100 ? 60_000 : 10_000;
}

/** What is done of a saved plan, by the reports since. */
export function PlanProgress({ id }: { readonly id: string }) {
  const query = useQuery({
    ...apiQuery('/saved-plans/{id}/progress', { params: { id } }),
    refetchInterval: ({ state }) => pollMsOf(state.data),
  });
  return (
    <Panel title="Progress">
      <Loaded query={query} what="Loading the progress">
        {({ totals, hosts }) => (
          <div className={styles['stack']}>
            <p role="status">
              {[
                `${groupedNumber(totals.done)} done`,
                `${groupedNumber(totals.open)} still open`,
                ...(totals.not_known === 0
                  ? []
                  : [`${groupedNumber(totals.not_known)} not known to be done`]),
                `${groupedNumber(totals.not_reported)} not reported since`,
                `${groupedNumber(totals.nothing_planned)} with nothing to install`,
                `${groupedNumber(totals.not_plannable)} cannot be planned`,
              ].join(', ')}
              .
            </p>
            <LongTable
              label="Progress of hosts"
              columns={columns}
              rows={hosts}
              rowId={({ host_id }) => host_id}
            />
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

function WhatIsOpen({ host }: { readonly host: PlanProgressHost }) {
  const { state, packages_open, still_open, reboot_state } = host;
  if (state === 'not_reported') return <>Not known: no report since the plan was made.</>;
  if (state === 'not_plannable') return <>Not known: see the host below.</>;
  if (state === 'done' && reboot_state === 'needed') return <>A reboot is due, which this plan leaves out.</>;
  const why = host.reboot_unknown ?? '';
  if (state === 'done' && reboot_state === 'unknown')
    return <>Whether a reboot is due is not known, and this plan leaves it out. {why}</>;
  if (state === 'not_known')
    return <>All else is done. Whether the planned reboot happened is not known. {why}</>;
  if (state === 'nothing_planned') return <>The plan changes nothing on it: see the host below.</>;
  if (state !== 'open') return <>–</>;
  const reasons = [...new Set(still_open.map(({ reason }) => reason))];
  return (
    <div className={styles['tight']}>
      {packages_open.length > 0 && <ForeignText text={packagesInWords(packages_open)} />}
      {still_open.length > 0 && (
        <span>
          {amountInWords(still_open.length, 'advisory is', 'advisories are')} open: {reasons.join(' ')}
        </span>
      )}
      {reboot_state === 'needed' && <span>A reboot is due.</span>}
      {reboot_state === 'unknown' && <span>Whether a reboot is due is not known. {why}</span>}
    </div>
  );
}

function packagesInWords(packages: PlanProgressHost['packages_open']): string {
  const named = packages
    .slice(0, mostNamed)
    .map(
      ({ name, installed_version, to_version }) =>
        `${name} (${installed_version ?? 'not installed'}, planned ${to_version})`,
    );
  const more = packages.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${groupedNumber(more)} more` : ''}`;
}
