import type { Session } from '@plimsoll/contract';
import { useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { useApiPages } from '../../api/pages.ts';
import { useChange } from '../../api/queries.ts';
import { session, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Panel } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { EndlessTable } from '../../design/table/endless-table.tsx';
import { toast } from '../../design/toasts.tsx';
import { sessionColumns } from './session-columns.tsx';

const pageRows = 100;

/** Where the user is signed in, with a way to end each session and all others. */
export function SessionsPanel() {
  const own = useSession()?.user.id ?? '';
  const query = useApiPages('/sessions', pageRows, { query: { user_id: own } });
  const end = useChange((id: string) => api.delete('/sessions/{id}', { params: { id } }), ['/sessions']);
  const columns = useMemo(() => sessionColumns((row) => endOne(row, end.mutateAsync)), [end.mutateAsync]);
  return (
    <Panel title="Sessions" flush actions={<EndOthers />}>
      <Loaded query={query} what="Loading the sessions">
        {({ rows }) => (
          <EndlessTable label="Sessions" columns={columns} rows={rows} rowId={({ id }) => id} query={query} />
        )}
      </Loaded>
    </Panel>
  );
}

async function endOne({ id, current }: Session, end: (id: string) => Promise<unknown>): Promise<void> {
  try {
    await end(id);
  } catch (error) {
    toast.failed(error);
    return;
  }
  if (current) session.leave(true);
  else toast.done('The session has ended.');
}

function EndOthers() {
  const [isAsking, setIsAsking] = useState(false);
  const end = useChange(() => api.delete('/sessions', { query: { keep_current: 'true' } }), ['/sessions']);
  const proceed = async () => {
    await end.mutateAsync();
    toast.done('All other sessions have ended.');
  };
  return (
    <>
      <Button onPress={() => setIsAsking(true)}>Sign out everywhere else</Button>
      <Confirm
        title="Sign out everywhere else?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm="Sign out everywhere else"
        onConfirm={proceed}
      >
        <p>
          All your sessions but this one end at once: other browsers, and scripts that use a token of your
          account. API keys are not affected.
        </p>
      </Confirm>
    </>
  );
}
