import { Download } from 'lucide-react';
import { useAction } from '../api/queries.ts';
import { Button } from './button.tsx';
import { toast } from './toasts.tsx';

interface DownloadButtonProps {
  readonly words: string;
  /** Fetches the file and saves it. */
  readonly download: () => Promise<void>;
}

/** Saves a file; shows a toast if that fails. */
export function DownloadButton({ words, download }: DownloadButtonProps) {
  const save = useAction(download);
  return (
    <Button isPending={save.isPending} onPress={() => void save.mutateAsync().catch(toast.failed)}>
      <Download aria-hidden /> {words}
    </Button>
  );
}
