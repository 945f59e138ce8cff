import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { download } from '../../api/download.ts';
import { Button } from '../../design/button.tsx';
import { toast } from '../../design/toasts.tsx';
import type { HostQuery } from './host-query.ts';

/** Saves the complete list as CSV, with the current filters and order. */
export function ExportHosts({ query }: { readonly query: HostQuery }) {
  const save = useMutation({ mutationFn: () => download('/hosts.csv', { query }), onError: toast.failed });
  return (
    <Button isPending={save.isPending} onPress={() => save.mutate()}>
      <Download aria-hidden /> {save.isPending ? 'Preparing the CSV…' : 'CSV'}
    </Button>
  );
}
