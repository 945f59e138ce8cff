import { api, type RequestOf } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { toast } from '../../../design/toasts.tsx';

type Changes = RequestOf<'patch', '/hosts/{id}'>['body'];

/** Changes a host, shows a toast and reads its queries again. Rejects if the server refuses the change. */
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
