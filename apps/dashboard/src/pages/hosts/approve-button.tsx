import { api } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { printable } from '../../design/text/printable.ts';
import { toast } from '../../design/toasts.tsx';

interface ApproveButtonProps {
  readonly id: string;
  /** The host's name in a list of hosts; missing on the host's own page. */
  readonly name?: string;
}

/** Approves a host, which then counts in the fleet. */
export function ApproveButton({ id, name }: ApproveButtonProps) {
  const shown = name === undefined ? 'The host' : printable(name, 60);
  const approve = useChange(
    () => api.post('/hosts/{id}/approve', { params: { id } }),
    ['/hosts', '/fleet', '/advisories', '/packages'],
  );
  return (
    <Button
      {...(name === undefined ? { look: 'primary' } : { 'aria-label': `Approve ${shown}` })}
      isPending={approve.isPending}
      onPress={() => toast.outcome(approve.mutateAsync(), `${shown} is approved.`)}
    >
      Approve
    </Button>
  );
}
