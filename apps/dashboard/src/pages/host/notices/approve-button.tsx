import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { toast } from '../../../design/toasts.tsx';

/** Approves a host, which then counts in the fleet. */
export function ApproveButton({ id }: { readonly id: string }) {
  const approve = useChange(
    () => api.post('/hosts/{id}/approve', { params: { id } }),
    ['/hosts', '/fleet', '/advisories', '/packages'],
  );
  return (
    <Button
      look="primary"
      isPending={approve.isPending}
      onPress={() =>
        approve.mutate(undefined, {
          onSuccess: () => toast.done('The host is approved.'),
          onError: toast.failed,
        })
      }
    >
      Approve
    </Button>
  );
}
