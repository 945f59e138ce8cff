import type { HostDetail } from '@plimsoll/contract';
import { verdictWords } from '@plimsoll/words';
import { PackageX, SearchX } from 'lucide-react';
import { download } from '../../../api/download.ts';
import { useApi } from '../../../api/queries.ts';
import { DownloadButton } from '../../../design/download-button.tsx';
import { DelayedSearch } from '../../../design/form/delayed-search.tsx';
import { Select } from '../../../design/form/fields.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { areFindingsKnown, blindingGaps, reasonsInWords } from '../../../words/knowledge.ts';
import styles from '../host.module.css';
import { useHostSearch } from '../host-search.ts';
import { VexExport } from '../vex-export.tsx';
import { ExplainDrawer } from './explain-drawer.tsx';
import { type InstalledPackageAnswer, packageColumns } from './package-columns.tsx';

const verdicts = [
  ['any', 'Checked or not'],
  ['comparable', verdictWords.comparable.words],
  ['unknown', verdictWords.unknown.words],
  ['excluded', verdictWords.excluded.words],
] as const;

/** Every installed package, and whether it can be checked. */
export function PackagesTab({ host }: { readonly host: HostDetail }) {
  const query = useApi('/hosts/{id}/packages', { params: { id: host.id } });
  return (
    <Panel
      title="Installed packages"
      actions={
        <>
          <Filters />
          {query.data !== undefined && query.data.length > 0 && (
            <DownloadButton
              words="SBOM (CycloneDX)"
              download={() => download('/hosts/{id}/sbom', { params: { id: host.id } })}
            />
          )}
          {query.data !== undefined && query.data.length > 0 && <VexExport host={host} />}
        </>
      }
      flush
    >
      <Loaded query={query} what="Loading the packages">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No packages yet" icon={PackageX}>
              Packages are listed after the first report.
            </Empty>
          ) : (
            <>
              {!areFindingsKnown(host) && <CheckLimits host={host} packages={all} />}
              <Matches packages={all} />
            </>
          )
        }
      </Loaded>
      <ExplainDrawer host={host} />
    </Panel>
  );
}

interface CheckLimitsProps {
  readonly host: HostDetail;
  readonly packages: readonly InstalledPackageAnswer[];
}

function CheckLimits({ host, packages }: CheckLimitsProps) {
  return (
    <Notice tone="neutral">
      <p>
        {packages.some(({ checked }) => checked) ? 'The check may be incomplete' : 'No package was checked'}:{' '}
        {reasonsInWords(host, blindingGaps, Date.now())}.
      </p>
    </Notice>
  );
}

/** The packages that match the filters in the address. */
function Matches({ packages }: { readonly packages: readonly InstalledPackageAnswer[] }) {
  const [{ q, verdict }] = useHostSearch();
  const rows = packages.filter(
    (row) => (verdict === undefined || row.verdict === verdict) && (q === undefined || hasName(row, q)),
  );
  return (
    <>
      <p className={styles['more']} role="status">
        {rows.length === packages.length
          ? `${packages.length} packages`
          : `${rows.length} of ${packages.length} packages`}
      </p>
      {rows.length === 0 ? (
        <Empty title="No package matches" icon={SearchX}>
          Search for part of a name, or change the filter.
        </Empty>
      ) : (
        <LongTable
          label="Installed packages"
          isFitted
          columns={packageColumns}
          rows={rows}
          rowId={({ name, architecture, version }) => `${name}:${architecture}:${version}`}
        />
      )}
    </>
  );
}

function hasName({ name, source_name }: InstalledPackageAnswer, part: string): boolean {
  const wanted = part.toLowerCase();
  return name.toLowerCase().includes(wanted) || source_name.toLowerCase().includes(wanted);
}

function Filters() {
  const [{ q = '', verdict = 'any' }, change] = useHostSearch();
  return (
    <div className={styles['filters']}>
      <DelayedSearch label="Search packages" value={q} onSearch={(next) => change({ q: next })} />
      <div className={styles['choice']}>
        <Select
          label="Checked or not"
          hideLabel
          value={verdict}
          options={verdicts}
          onChange={(value) => change({ verdict: value === 'any' ? '' : value })}
        />
      </div>
    </div>
  );
}
