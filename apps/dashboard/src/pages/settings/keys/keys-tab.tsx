import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApiPages } from '../../../api/pages.ts';
import { useSession } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { EndlessTable } from '../../../design/table/endless-table.tsx';
import { keyColumns } from './key-columns.tsx';
import { NewKey } from './new-key.tsx';

const pageRows = 100;

/** The user's API keys; for an admin those of all users. */
export function KeysTab() {
  const [isMaking, setIsMaking] = useState(false);
  const own = useSession()?.user.id ?? '';
  const query = useApiPages('/api-keys', pageRows);
  const columns = useMemo(() => keyColumns(own), [own]);
  const make = (
    <Button look="primary" onPress={() => setIsMaking(true)}>
      <Plus aria-hidden /> Create an API key
    </Button>
  );
  return (
    <>
      <Panel title="API keys" flush actions={make}>
        <Loaded query={query} what="Loading the API keys">
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty title="No API keys" icon={KeyRound}>
                A script signs in with an API key. A key never has more rights than the user who created it.
              </Empty>
            ) : (
              <EndlessTable
                label="API keys"
                columns={columns}
                rows={rows}
                rowId={({ id }) => id}
                query={query}
              />
            )
          }
        </Loaded>
      </Panel>
      <NewKey isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </>
  );
}
