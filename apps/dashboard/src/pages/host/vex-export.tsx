import type { HostDetail } from '@plimsoll/contract';
import { type VexFormat, vexFormats } from '@plimsoll/words';
import { useState } from 'react';
import { download } from '../../api/download.ts';
import { DownloadButton } from '../../design/download-button.tsx';
import { Select } from '../../design/form/fields.tsx';
import styles from './host.module.css';

/** Downloads what is known of a host's vulnerabilities and their waivers as VEX. */
export function VexExport({ host }: { readonly host: HostDetail }) {
  const [format, setFormat] = useState<VexFormat>('openvex');
  return (
    <div className={styles['inline']}>
      <Select label="VEX format" hideLabel value={format} onChange={setFormat} options={vexFormats} />
      <DownloadButton
        words="VEX"
        download={() => download('/hosts/{id}/vex', { params: { id: host.id }, query: { format } })}
      />
    </div>
  );
}
