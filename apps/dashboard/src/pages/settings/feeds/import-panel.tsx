import { Panel } from '../../../design/page/page.tsx';
import styles from '../settings.module.css';
import { useSettingsSearch } from '../settings-search.ts';
import { ImportForm } from './import-form.tsx';
import { ImportOutcome } from './import-outcome.tsx';

/** Element id of the import form, the target of links. */
export const importPanelId = 'import-a-file';

/** Imports a file of advisories, for servers without internet access, and shows the result. */
export function ImportPanel() {
  const [{ import: importId }, change] = useSettingsSearch();
  return (
    <Panel title="Import a file">
      <div className={styles['stack']} id={importPanelId} tabIndex={-1}>
        <p className={styles['muted']}>
          For servers without internet access: download the file elsewhere and import it here. ZIP of JSON
          files, JSON, JSON Lines, updateinfo XML or EPSS CSV, plain or gzip, up to 2 GiB.
        </p>
        <ImportForm onTaken={(id) => change({ import: id })} />
        {importId !== undefined && (
          <ImportOutcome key={importId} id={importId} onForget={() => change({ import: '' })} />
        )}
      </div>
    </Panel>
  );
}
