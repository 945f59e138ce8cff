import { api, type RequestOf } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { toast } from '../../../design/toasts.tsx';

type Changes = RequestOf<'patch', '/hosts/{id}'>['body'];

/** Changes a host, says that it is done, and has what shows it read again. Rejects with what the server refuses. */
export function useHostChange(id: string): (changes: Changes, done: string) => Promise<void> {
  const change = useChange(
    (body: Changes) => api.patch('/hosts/{id}', { params: { id }, body }),
    ['/hosts', '/fleet'],
  );
  return async (changes, done) => {
    await change.mutateAsync(changes);
    toast.done(done);
  };
}
