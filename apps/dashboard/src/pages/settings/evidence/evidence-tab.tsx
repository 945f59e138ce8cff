import type { EvidenceKeyAnswer } from '@plimsoll/contract';
import { FileCheck, KeyRound } from 'lucide-react';
import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { ConfirmButton } from '../../../design/dialog.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';

/** The keys that sign evidence packs, with the fingerprint that an auditor needs. */
export function EvidenceTab() {
  const query = useApi('/evidence/keys');
  const mayReplace = useMay('admin');
  return (
    <Loaded query={query} what="Loading the signing keys">
      {(keys) => {
        const current = keys.find(({ retired_at }) => retired_at === null);
        const earlier = keys.filter(({ retired_at }) => retired_at !== null);
        return (
          <div className={styles['stack']}>
            <Panel
              title="Key that signs evidence packs"
              {...(mayReplace && { actions: <ReplaceKey isFirst={current === undefined} /> })}
            >
              {current === undefined ? (
                <Empty title="No signing key yet" icon={FileCheck}>
                  The service makes one with the first evidence pack
                  {mayReplace && ', or when you make one here to tell the auditor its fingerprint first'}.
                </Empty>
              ) : (
                <Current signingKey={current} />
              )}
            </Panel>
            {earlier.length > 0 && <Earlier keys={earlier} />}
          </div>
        );
      }}
    </Loaded>
  );
}

function Current({ signingKey: { fingerprint, created_at } }: { readonly signingKey: EvidenceKeyAnswer }) {
  return (
    <div className={styles['stack']}>
      <p>
        Give the auditor this fingerprint, by another way than the packs: anybody can change a pack and sign
        it with a key of their own. The key is in use since <ExactTime at={created_at} />.
      </p>
      <CopyField text={fingerprint} what="fingerprint" />
      <p>The auditor checks a pack with this command. It needs no connection to this service.</p>
      <CopyField text={`plimsoll verify-evidence FILE.zip --key ${fingerprint}`} what="command" />
    </div>
  );
}

function Earlier({ keys }: { readonly keys: readonly EvidenceKeyAnswer[] }) {
  return (
    <Panel title="Earlier keys">
      <ul className={styles['ways']} aria-label="Earlier keys">
        {keys.map(({ fingerprint, created_at, retired_at, created_by }) => (
          <li key={fingerprint}>
            Signed from <ExactTime at={created_at} />
            {retired_at !== null && (
              <>
                {' '}
                until <ExactTime at={retired_at} />
              </>
            )}
            . Made by {created_by === null ? 'the service' : <ForeignText text={created_by} oneLine />}.
            <CopyField text={fingerprint} what={`fingerprint ${fingerprint}`} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Makes a new key for evidence packs, after a question. */
function ReplaceKey({ isFirst }: { readonly isFirst: boolean }) {
  const replace = useChange(() => api.post('/evidence/keys'), ['/evidence']);
  const button = (
    <>
      <KeyRound aria-hidden /> {isFirst ? 'Make the key' : 'Replace the key'}
    </>
  );
  return (
    <ConfirmButton
      button={button}
      title={isFirst ? 'Make the signing key?' : 'Replace the signing key?'}
      confirm={isFirst ? 'Make it' : 'Replace it'}
      onConfirm={() => replace.mutateAsync()}
      done="Packs are signed with the new key from now on."
    >
      {isFirst ? (
        <p>All packs are signed with it until it is replaced.</p>
      ) : (
        <p>
          Tell the auditors the new fingerprint: packs are signed with the new key from now on. Earlier packs
          stay valid, and the earlier fingerprint stays listed. Nothing can be signed with the earlier key any
          more; this cannot be undone.
        </p>
      )}
    </ConfirmButton>
  );
}
