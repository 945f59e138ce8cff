import { api } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { printable } from '../../design/text/printable.ts';
import { toast } from '../../design/toasts.tsx';

/** Approves a host, which then counts in the fleet. */
export function ApprovePending({ id, name }: { readonly id: string; readonly name: string }) {
  const shown = printable(name, 60);
  const approve = useChange(
    () => api.post('/hosts/{id}/approve', { params: { id } }),
    ['/hosts', '/fleet', '/advisories', '/packages'],
  );
  return (
    <Button
      aria-label={`Approve ${shown}`}
      isPending={approve.isPending}
      onPress={() =>
        approve.mutate(undefined, {
          onSuccess: () => toast.done(`${shown} is approved.`),
          onError: toast.failed,
        })
      }
    >
      Approve
    </Button>
  );
}
