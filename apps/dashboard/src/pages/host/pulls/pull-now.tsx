import { pullErrorWords } from '@plimsoll/words';
import { Download } from 'lucide-react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { toast } from '../../../design/toasts.tsx';

/** Seconds to wait for the result; a longer pull continues and is listed under Pulls. */
const waitSeconds = 30;

/** Pulls a host now and shows the result as a toast. */
export function PullNow({ id }: { readonly id: string }) {
  const mayPull = useMay('operator');
  const pull = useChange(
    () => api.post('/hosts/{id}/pull-now', { params: { id }, wait: waitSeconds }),
    ['/hosts', '/fleet'],
  );
  if (!mayPull) return null;
  const start = () =>
    toast.outcome(pull.mutateAsync(), ({ status, error_code }) => {
      if (status === 'succeeded') return 'The host was pulled.';
      if (error_code === null) return 'The pull is still running. See Pulls for the result.';
      throw new Error(`The pull failed: ${pullErrorWords[error_code].words}. See Pulls for what to do.`);
    });
  return (
    <Button isPending={pull.isPending} onPress={start}>
      <Download aria-hidden /> {pull.isPending ? 'Pulling…' : 'Pull now'}
    </Button>
  );
}
