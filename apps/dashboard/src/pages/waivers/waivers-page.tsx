import { useApiPages } from '../../api/pages.ts';
import { amountInWords } from '../../design/number-words.ts';
import { Page, Panel } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { EndlessTable } from '../../design/table/endless-table.tsx';
import { ExportVex } from './export-vex.tsx';
import { ImportVex } from './import/import-vex.tsx';
import { NoWaivers } from './no-waivers.tsx';
import { useWaiversSearch, waiverQueryOf } from './use-waivers-search.ts';
import { waiverColumns } from './waiver-columns.tsx';
import { WaiverDrawer } from './waiver-drawer.tsx';
import { WaiverFilters } from './waiver-filters.tsx';
import styles from './waivers.module.css';

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
