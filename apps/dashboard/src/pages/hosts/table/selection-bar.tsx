import type { Host } from '@plimsoll/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useMay } from '../../../api/session.ts';
import { Button, LinkButton } from '../../../design/button.tsx';
import { groupedNumber, hostsInWords } from '../../../design/number-words.ts';
import { toast } from '../../../design/toasts.tsx';
import { filterParameter, mostInAddress } from '../../plans/plans-search.ts';
import { type BulkAction, bulkActions } from '../bulk/bulk-actions.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import type { HostQuery } from '../host-query.ts';
import styles from '../hosts.module.css';
import { FindingsBehind } from './findings-behind.tsx';
import { maxSelected, useSelection } from './selection.ts';

interface SelectionBarProps {
  readonly total: number;
  readonly filters: HostQuery;
}

/** Most hosts of one plan; the server checks it. */
const mostPlanned = 2_000;

/** The number of hosts, the number of selected ones, and the actions on them. */
export function SelectionBar({ total, filters }: SelectionBarProps) {
  const isOperator = useMay('operator');
  const { rows: hosts } = useSelection();
  const words = hostsInWords(total);
  return (
    <div className={`${styles['bar']} ${hosts.length > 0 ? styles['picked'] : ''}`}>
      <span className={styles['total']} role="status">
        {hosts.length === 0 ? words : `${groupedNumber(hosts.length)} of ${words} selected`}
      </span>
      <FindingsBehind filters={filters} />
      {total > 0 && (
        <div className={styles['buttons']}>
          {isOperator && <SelectAll total={total} filters={filters} />}
          <Compare />
          <PlanUpdates total={total} filters={filters} />
          {isOperator && hosts.length > 0 && <Actions />}
        </div>
      )}
    </div>
  );
}

function SelectAll({ total, filters }: SelectionBarProps) {
  const { rows: hosts, set } = useSelection();
  const read = useMutation({
    mutationFn: () => api.get('/hosts', { query: { ...filters, limit: String(maxSelected) } }),
    onSuccess: set,
    onError: toast.failed,
  });
  if (hosts.length >= total) return null;
  if (total > maxSelected)
    return hosts.length > 0 ? (
      <span className={styles['muted']}>
        Filter the list to {groupedNumber(maxSelected)} hosts or fewer to select all.
      </span>
    ) : null;
  return (
    <Button look="quiet" isPending={read.isPending} onPress={() => read.mutate()}>
      Select all {groupedNumber(total)}
    </Button>
  );
}

/** An action that few hosts ever need is only offered if it concerns a selected one. */
function isOffered(hosts: readonly Host[]) {
  return ({ kind, concerns }: BulkAction) =>
    !['reinstate', 'pause_pulls', 'resume_pulls'].includes(kind) || hosts.some(concerns);
}

/** Leads to the comparison of two selected hosts. */
function Compare() {
  const [a, b, ...others] = useSelection().rows;
  if (a === undefined || b === undefined || others.length > 0) return null;
  return (
    <LinkButton to="/compare" search={{ a: a.id, b: b.id }}>
      Compare
    </LinkButton>
  );
}

/** Leads to the plan for the selected hosts, or for all of the list without a selection. */
function PlanUpdates({ total, filters }: SelectionBarProps) {
  const { rows: hosts } = useSelection();
  if (hosts.length > mostInAddress) {
    return (
      <span className={styles['muted']}>
        To plan updates, select {mostInAddress} hosts or fewer, or plan the filtered list.
      </span>
    );
  }
  if (hosts.length === 0 && total > mostPlanned) return null;
  const search =
    hosts.length > 0 ? { hosts: hosts.map(({ id }) => id).join(',') } : { filter: filterParameter(filters) };
  return (
    <LinkButton to="/plans" search={search} look={hosts.length > 0 ? 'plain' : 'quiet'}>
      {hosts.length > 0 || total === 1 ? 'Plan updates' : `Plan updates of all ${groupedNumber(total)}`}
    </LinkButton>
  );
}

function Actions() {
  const { rows: hosts, set } = useSelection();
  const [chosen, setChosen] = useState<BulkAction | null>(null);
  return (
    <>
      {bulkActions.filter(isOffered(hosts)).map((action) => (
        <Button
          key={action.kind}
          look={action.isDangerous === true ? 'danger' : 'plain'}
          isDisabled={!hosts.some(action.concerns)}
          onPress={() => setChosen(action)}
        >
          {action.words}
        </Button>
      ))}
      <Button look="quiet" onPress={() => set([])}>
        Clear selection
      </Button>
      {chosen !== null && <BulkDialog action={chosen} hosts={hosts} onClose={() => setChosen(null)} />}
    </>
  );
}
