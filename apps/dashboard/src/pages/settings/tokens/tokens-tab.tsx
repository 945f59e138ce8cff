import type { RegistrationToken } from '@plimsoll/contract';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Checkbox } from '../../../design/form/fields.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import styles from '../settings.module.css';
import { NewToken } from './new-token.tsx';
import { tokenColumns } from './token-columns.tsx';
import { tokenState } from './token-state.ts';

/** Tokens that still enrol hosts. */
function openTokens(tokens: readonly RegistrationToken[]): readonly RegistrationToken[] {
  return tokens.filter((token) => tokenState(token) === 'open');
}

/** The registration tokens. */
export function TokensTab() {
  const [isMaking, setIsMaking] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const tokens = useApi('/registration-tokens');
  const make = (
    <Button look="primary" onPress={() => setIsMaking(true)}>
      <Plus aria-hidden /> New token
    </Button>
  );
  return (
    <>
      <Panel title="Registration tokens" flush actions={make}>
        <Loaded query={tokens} what="Loading the tokens">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No registration tokens" icon={KeyRound}>
                Agents enrol with a registration token. Create one and run its install command on the host.
              </Empty>
            ) : (
              <>
                <div className={styles['padded']}>
                  <Checkbox isSelected={showsAll} onChange={setShowsAll}>
                    Show used up, expired and revoked tokens ({rows.length - openTokens(rows).length})
                  </Checkbox>
                </div>
                {showsAll || openTokens(rows).length > 0 ? (
                  <LongTable
                    label="Registration tokens"
                    columns={tokenColumns}
                    rows={showsAll ? rows : openTokens(rows)}
                    rowId={({ id }) => id}
                  />
                ) : (
                  <Empty title="No token can enrol hosts" icon={KeyRound}>
                    All are used up, expired or revoked.
                  </Empty>
                )}
              </>
            )
          }
        </Loaded>
      </Panel>
      <NewToken isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </>
  );
}
