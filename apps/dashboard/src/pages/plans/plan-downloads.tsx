import { Printer } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { DownloadButton } from '../../design/download-button.tsx';
import styles from './plans.module.css';

/** A form of a plan that is saved as a file. */
export type PlanFile = 'shell' | 'ansible' | 'csv';

const files: readonly (readonly [format: PlanFile, words: string])[] = [
  ['shell', 'Shell script'],
  ['ansible', 'Ansible playbook'],
  ['csv', 'CSV'],
];

/** Saves a plan as a file, or prints it. */
export function PlanDownloads({ save }: { readonly save: (format: PlanFile) => Promise<void> }) {
  return (
    <div className={styles['buttons']}>
      {files.map(([format, words]) => (
        <DownloadButton key={format} words={words} download={() => save(format)} />
      ))}
      <Button onPress={() => window.print()}>
        <Printer aria-hidden /> Print
      </Button>
    </div>
  );
}
