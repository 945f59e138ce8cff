import { waiverKindOrder, waiverKindWords } from '@plimsoll/words';
import { SearchX, ShieldOff } from 'lucide-react';
import { useApiPages } from '../../api/pages.ts';
import { Button, LinkButton } from '../../design/button.tsx';
import { DelayedSearch } from '../../design/form/delayed-search.tsx';
import { Select } from '../../design/form/fields.tsx';
import { LinkedFilter } from '../../design/form/linked-filter.tsx';
import { amountInWords } from '../../design/number-words.ts';
import { Page, Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { EndlessTable } from '../../design/table/endless-table.tsx';
import { printable } from '../../design/text/printable.ts';
import { ExportVex } from './export-vex.tsx';
import { ImportVex } from './import/import-vex.tsx';
import { waiverColumns } from './waiver-columns.tsx';
import { WaiverDrawer } from './waiver-drawer.tsx';
import { scopeOptions, stateIn, stateOptions, waiverQueryOf } from './waiver-query.ts';
import styles from './waivers.module.css';
import { useWaiversSearch } from './waivers-search.ts';

const pageRows = 100;

/** The decisions that findings are not to be acted on. */
export function WaiversPage() {
  const [search, change] = useWaiversSearch();
  const query = useApiPages('/waivers', pageRows, { query: waiverQueryOf(search) });
  return (
    <Page
      title="Waivers"
      lead="Decisions that findings are not to be acted on until a date. The packages stay affected: what a waiver covers counts apart."
      actions={
        <>
          <ExportVex />
          <ImportVex />
        </>
      }
    >
      <Panel title="Waivers" flush>
        <WaiverFilters />
        <Loaded query={query} what="Reading the waivers">
          {({ rows, total }) =>
            total === 0 ? (
              <NoWaivers />
            ) : (
              <>
                <p className={styles['total']} role="status">
                  {amountInWords(total, 'waiver', 'waivers')}
                </p>
                <EndlessTable
                  label="Waivers"
                  columns={waiverColumns}
                  rows={rows}
                  rowId={({ id }) => id}
                  query={query}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
      <WaiverDrawer id={search.id} onClose={() => change({ id: undefined })} />
    </Page>
  );
}

const noFilters = {
  state: 'all',
  kind: undefined,
  scope: undefined,
  q: undefined,
  names: undefined,
  host: undefined,
};

/** Text for an empty list of waivers. */
function NoWaivers() {
  const [search, change] = useWaiversSearch();
  const { state: _state, id: _id, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0 || !['active', 'all'].includes(stateIn(search));
  if (isFiltered)
    return (
      <Empty
        title="No waiver matches"
        icon={SearchX}
        action={<Button onPress={() => change(noFilters)}>Show all, also ended ones</Button>}
      />
    );
  if (stateIn(search) === 'active')
    return (
      <Empty
        title="No waiver is in force"
        icon={ShieldOff}
        action={<LinkButton to="/findings">Show the findings</LinkButton>}
      >
        Accept a risk from a finding of a host, an advisory, a CVE, or selected rows of the findings.
      </Empty>
    );
  return <Empty title="No waiver was ever created" icon={ShieldOff} />;
}

const kindOptions = [
  ['any', 'Any kind'],
  ...waiverKindOrder.map((kind) => [kind, waiverKindWords[kind].words] as const),
] as const;

/** Filters of the list; the address holds them. */
function WaiverFilters() {
  const [search, change] = useWaiversSearch();
  const kind = waiverKindOrder.find((known) => known === search.kind) ?? 'any';
  const scope = scopeOptions.find(([known]) => known === search.scope)?.[0] ?? 'any';
  return (
    <search className={styles['filters']} aria-label="Waivers">
      <Select
        label="State"
        hideLabel
        value={stateIn(search)}
        onChange={(state) => change({ state: state === 'active' ? undefined : state })}
        options={stateOptions}
      />
      <div className={styles['wideField']}>
        <DelayedSearch
          label="Search waivers"
          placeholder="Advisory, CVE, package, reason, ticket or person"
          value={search.q ?? ''}
          onSearch={(q) => change({ q })}
        />
      </div>
      <Select
        label="Kind"
        hideLabel
        value={kind}
        onChange={(next) => change({ kind: next === 'any' ? undefined : next })}
        options={kindOptions}
      />
      <Select
        label="Hosts"
        hideLabel
        value={scope}
        onChange={(next) => change({ scope: next === 'any' ? undefined : next })}
        options={scopeOptions}
      />
      {search.names !== undefined && (
        <LinkedFilter
          words={`Of ${printable(search.names, 60)}`}
          onRemove={() => change({ names: undefined })}
        />
      )}
      {search.host !== undefined && (
        <LinkedFilter words="Of one host" onRemove={() => change({ host: undefined })} />
      )}
    </search>
  );
}
