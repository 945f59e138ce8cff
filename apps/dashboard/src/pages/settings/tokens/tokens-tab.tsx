import type { RegistrationToken } from '@plimsoll/contract';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Checkbox } from '../../../design/form/fields.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { InstallWarnings } from '../../add-hosts/agent/install-warnings.tsx';
import type { IssuedToken } from '../../add-hosts/agent/issued-token.ts';
import { TokenForm } from '../../add-hosts/agent/token-form.tsx';
import styles from '../settings.module.css';
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

/** Creates a registration token and shows its secret once. */
function NewToken({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [issued, setIssued] = useState<IssuedToken | null>(null);
  const close = () => {
    setIssued(null);
    onClose();
  };
  return (
    <Dialog
      title={issued === null ? 'New registration token' : 'Your registration token'}
      isOpen={isOpen}
      onClose={close}
    >
      {issued === null ? <TokenForm onIssued={setIssued} /> : <Secret issued={issued} onClose={close} />}
    </Dialog>
  );
}

function Secret({ issued, onClose }: { readonly issued: IssuedToken; readonly onClose: () => void }) {
  const { token, install_command, warnings, max_uses, expires_at } = issued;
  return (
    <div className={styles['stack']}>
      <Notice tone="important">
        <p>The token is shown only once. Copy it now.</p>
      </Notice>
      <div className={styles['tight']}>
        <h3>Run this on the host, in a root shell</h3>
        <InstallWarnings warnings={warnings} />
        <CopyField text={install_command} what="command" />
      </div>
      <div className={styles['tight']}>
        <h3>Or copy only the token</h3>
        <CopyField text={token} what="token" />
      </div>
      <p className={styles['muted']}>
        Valid for {max_uses === 1 ? 'one host' : `${max_uses} hosts`} until <ExactTime at={expires_at} />.
      </p>
      <div>
        <Button look="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </div>
  );
}
