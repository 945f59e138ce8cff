import type { Waiver } from '@plimsoll/contract';
import { waiverEndWords, waiverKindWords } from '@plimsoll/words';
import { useState } from 'react';
import { useApi } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page/facts.tsx';
import { Loaded } from '../../design/states.tsx';
import { ExternalLink } from '../../design/text/external-link.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { ExactTime } from '../../design/time/time.tsx';
import { coveredInWords } from '../../words/waiver-words.ts';
import { EditWaiver } from './edit-waiver.tsx';
import { EndWaiver } from './end-waiver.tsx';
import { Matched } from './waiver-columns.tsx';
import { WaiverNames } from './waiver-names.tsx';
import styles from './waivers.module.css';

interface WaiverDrawerProps {
  /** Undefined: it is closed. */
  readonly id: string | undefined;
  readonly onClose: () => void;
}

/** Side dialog: one waiver in full, with its changes. */
export function WaiverDrawer({ id, onClose }: WaiverDrawerProps) {
  return (
    <Dialog title="Waiver" isOpen={id !== undefined} onClose={onClose} side>
      {id !== undefined && <Shown key={id} id={id} />}
    </Dialog>
  );
}

function Shown({ id }: { readonly id: string }) {
  const query = useApi('/waivers/{id}', { params: { id } });
  return (
    <Loaded query={query} what="Reading the waiver">
      {(waiver) => <InFull waiver={waiver} />}
    </Loaded>
  );
}

function InFull({ waiver }: { readonly waiver: Waiver }) {
  const isOperator = useMay('operator');
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) return <EditWaiver waiver={waiver} onDone={() => setIsEditing(false)} />;
  return (
    <div className={styles['stack']}>
      <p>
        <strong>{coveredInWords(waiver)}</strong>: {waiverKindWords[waiver.kind].meaning}
      </p>
      <p className={styles['words']}>
        <ForeignText text={waiver.reason} />
      </p>
      <Facts facts={factsOf(waiver)} />
      <WaiverNames waiver={waiver} />
      {isOperator && waiver.ended_at === null && (
        <div className={styles['buttons']}>
          <Button onPress={() => setIsEditing(true)}>Extend or change…</Button>
          <EndWaiver waiver={waiver} />
        </div>
      )}
    </div>
  );
}

function factsOf(waiver: Waiver) {
  const { kind, created_by, created_at, expires_at, ended_at, end_cause, ended_by, ticket_url, origin } =
    waiver;
  return [
    ['Kind', waiverKindWords[kind].words],
    ['By', <ForeignText key="by" text={created_by} />],
    ['Since', <ExactTime key="since" at={created_at} />],
    ['Until', <ExactTime key="until" at={expires_at} />],
    ...(ended_at === null
      ? [['Concerns now', <Matched key="matched" waiver={waiver} />] as const]
      : [
          [
            'Ended',
            <span key="ended">
              <ExactTime at={ended_at} />
              {end_cause !== null && `, ${waiverEndWords[end_cause]}`}
              {ended_by !== null && (
                <>
                  {' by '}
                  <ForeignText text={ended_by} />
                </>
              )}
            </span>,
          ] as const,
        ]),
    [
      'Ticket',
      ticket_url === null ? (
        'none'
      ) : (
        <ExternalLink key="ticket" url={ticket_url}>
          <ForeignText text={ticket_url} oneLine />
        </ExternalLink>
      ),
    ],
    ...(origin === null ? [] : [['Imported from', <ForeignText key="origin" text={origin} />] as const]),
  ] as const;
}
