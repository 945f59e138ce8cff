import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { downloadPosted } from '../../../api/download.ts';
import { useMay } from '../../../api/session.ts';
import { Button, LinkButton } from '../../../design/button.tsx';
import { DownloadButton } from '../../../design/download-button.tsx';
import { groupedNumber, hostsInWords } from '../../../design/number-words.ts';
import { toast } from '../../../design/toasts.tsx';
import { filterParameter, firstOptions, mostInAddress } from '../../plans/plans-search.ts';
import { type BulkAction, bulkActions } from '../bulk/bulk-actions.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import { EverythingDialog } from '../bulk/everything-dialog.tsx';
import type { Agreed } from '../bulk/run-everything.ts';
import type { HostQuery } from '../host-query.ts';
import styles from '../hosts.module.css';
import { FindingsBehind } from './findings-behind.tsx';
import { maxSelected } from './kept-selection.ts';
import type { SelectedHost } from './selected-host.ts';
import { type HostSelection, useSelection } from './selection.ts';

interface SelectionBarProps {
  readonly total: number;
  readonly filters: HostQuery;
}

/** Most hosts of one plan; the server checks it. */
const mostPlanned = 2_000;

/** An action with what was selected when it was chosen. */
interface Chosen {
  readonly action: BulkAction;
  /** Null: everything that matched. */
  readonly hosts: readonly SelectedHost[] | null;
  readonly agreed: Agreed;
}

/** The number of hosts, the number of selected ones, and the actions on them. */
export function SelectionBar({ total, filters }: SelectionBarProps) {
  const isOperator = useMay('operator');
  // Here, because an action can empty the list, and its outcome is to be shown then, too.
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const selection = useSelection();
  const { rows: hosts, isEverything } = selection;
  const isPicked = isEverything || hosts.length > 0;
  return (
    <div className={`${styles['bar']} ${isPicked ? styles['picked'] : ''}`}>
      <span className={styles['total']} role="status">
        {selectedInWords(selection, total)}
      </span>
      <FindingsBehind filters={filters} />
      {(total > 0 || isPicked) && (
        <div className={styles['buttons']}>
          {isOperator && <SelectAll total={total} filters={filters} />}
          <Compare />
          <PlanUpdates total={total} filters={filters} />
          {isPicked && <ExportSelection filters={filters} />}
          {isOperator && isPicked && (
            <Actions
              filters={filters}
              onChoose={(action) =>
                setChosen({ action, hosts: isEverything ? null : hosts, agreed: { total, filters } })
              }
            />
          )}
        </div>
      )}
      {chosen !== null && <ChosenAction {...chosen} onClose={() => setChosen(null)} />}
    </div>
  );
}

function selectedInWords(selection: HostSelection, total: number): string {
  const { rows, isEverything, elsewhere, isElsewhereKnown } = selection;
  const words = hostsInWords(total);
  if (isEverything) return `All ${words} that match selected`;
  if (rows.length === 0) return words;
  if (elsewhere === 0 && rows.length <= total) return `${groupedNumber(rows.length)} of ${words} selected`;
  const where = isElsewhereKnown ? 'not in this view' : 'with other filters';
  // Selected hosts can leave the list, of which it is not known which: another person approves them.
  return `${hostsInWords(rows.length)} selected (${
    elsewhere > 0 ? `${groupedNumber(elsewhere)} ${where}` : `${words} in the list`
  })`;
}

function ChosenAction({ action, hosts, agreed, onClose }: Chosen & { readonly onClose: () => void }) {
  return hosts === null ? (
    <EverythingDialog action={action} agreed={agreed} onClose={onClose} />
  ) : (
    <BulkDialog action={action} hosts={hosts} onClose={onClose} />
  );
}

function SelectAll({ total, filters }: SelectionBarProps) {
  const { rows: hosts, elsewhere, isEverything, set, setEverything } = useSelection();
  const read = useMutation({
    mutationFn: () => api.get('/hosts', { query: { ...filters, limit: String(maxSelected) } }),
    // Without those of other lists if they are too many together.
    onSuccess: (all) => {
      const more = all.filter(({ id }) => !hosts.some((host) => host.id === id));
      set(hosts.length + more.length > maxSelected ? all : [...hosts, ...more]);
    },
    onError: toast.failed,
  });
  if (isEverything || hosts.length - elsewhere >= total) return null;
  const selectAll = total > maxSelected ? setEverything : () => read.mutate();
  return (
    <Button look="quiet" isPending={read.isPending} onPress={selectAll}>
      Select all {groupedNumber(total)}
    </Button>
  );
}

/** An action that few hosts ever need is only offered if it concerns a selected one. */
function isOffered(hosts: readonly SelectedHost[]) {
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

/** Of hosts that are not named it is only known whether they are in service. */
function isForEverything({ retired }: HostQuery) {
  return ({ kind }: BulkAction) => (kind === 'reinstate') === (retired === 'true') || kind === 'delete';
}

/** Leads to the plan for the selected hosts, or for all of the list without a selection. */
function PlanUpdates({ total, filters }: SelectionBarProps) {
  const { rows: hosts, elsewhere } = useSelection();
  if (hosts.length > mostInAddress) {
    return (
      <span className={styles['muted']}>
        To plan updates, select {mostInAddress} hosts or fewer, or plan the filtered list.
      </span>
    );
  }
  if (filters.retired === 'true') return null;
  if (hosts.length === 0 && (total === 0 || total > mostPlanned)) return null;
  const search = {
    ...(hosts.length > 0
      ? { hosts: hosts.map(({ id }) => id).join(',') }
      : { filter: filterParameter(filters) }),
    // Hosts of other lists were not selected to be rebooted.
    ...(elsewhere === 0 ? firstOptions(filters) : {}),
  };
  return (
    <LinkButton to="/plans" search={search} look={hosts.length > 0 ? 'plain' : 'quiet'}>
      {hosts.length > 0 || total === 1 ? 'Plan updates' : `Plan updates of all ${groupedNumber(total)}`}
    </LinkButton>
  );
}

/** Saves the selected hosts. */
function ExportSelection({ filters }: Pick<SelectionBarProps, 'filters'>) {
  const { rows: hosts, isEverything } = useSelection();
  const given = Object.entries(filters).flatMap(([name, value]) =>
    name === 'sort' || value === undefined ? [] : [[name, String(value)]],
  );
  const filter = Object.fromEntries(given) as Record<string, string>; // pairs of texts
  const chosen = isEverything ? { filter } : { hosts: hosts.map(({ id }) => id) };
  return (
    <>
      {(['csv', 'json'] as const).map((format) => (
        <DownloadButton
          key={format}
          words={`Selected as ${format.toUpperCase()}`}
          download={() => downloadPosted('/hosts/export', { body: { ...chosen, format } })}
        />
      ))}
    </>
  );
}

interface ActionsProps {
  readonly filters: HostQuery;
  readonly onChoose: (action: BulkAction) => void;
}

function Actions({ filters, onChoose }: ActionsProps) {
  const { rows: hosts, isEverything, set } = useSelection();
  const offered = isEverything
    ? bulkActions.filter(isForEverything(filters))
    : bulkActions.filter(isOffered(hosts));
  return (
    <>
      {offered.map((action) => (
        <Button
          key={action.kind}
          look={action.isDangerous === true ? 'danger' : 'plain'}
          isDisabled={!isEverything && !hosts.some(action.concerns)}
          onPress={() => onChoose(action)}
        >
          {action.words}
        </Button>
      ))}
      <Button look="quiet" onPress={() => set([])}>
        Clear selection
      </Button>
    </>
  );
}
