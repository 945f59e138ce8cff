import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { toast } from './toasts.tsx';

interface DownloadButtonProps {
  readonly words: string;
  /** Fetches the file and saves it. */
  readonly download: () => Promise<void>;
}

/** Saves a file; shows a toast if that fails. */
export function DownloadButton({ words, download }: DownloadButtonProps) {
  const [isPending, setIsPending] = useState(false);
  const save = async () => {
    setIsPending(true);
    try {
      await download();
    } catch (error) {
      toast.failed(error);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <Button isPending={isPending} onPress={() => void save()}>
      <Download aria-hidden /> {words}
    </Button>
  );
}
