import { FileUp } from 'lucide-react';
import { DropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Text } from 'react-aria-components/Text';
import { Button } from '../button.tsx';
import styles from './file-drop.module.css';

interface FileDropProps {
  /** The request to the user: "Drop the report here". */
  readonly label: string;
  readonly onFile: (file: File) => void;
  readonly isPending?: boolean;
}

/** Accepts one file, dropped or chosen. */
export function FileDrop({ label, onFile, isPending = false }: FileDropProps) {
  return (
    <DropZone
      className={styles['drop'] ?? ''}
      onDrop={async ({ items }) => {
        const dropped = items.find((item) => item.kind === 'file');
        if (dropped !== undefined) onFile(await dropped.getFile());
      }}
    >
      <FileUp aria-hidden />
      <Text slot="label">{label}</Text>
      <FileTrigger
        onSelect={(files) => {
          const file = files?.[0];
          if (file !== undefined) onFile(file);
        }}
      >
        <Button isPending={isPending}>Choose a file</Button>
      </FileTrigger>
    </DropZone>
  );
}
