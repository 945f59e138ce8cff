import { FileCheck } from 'lucide-react';
import { useState } from 'react';
import { download } from '../../api/download.ts';
import { messageOf } from '../../api/problem.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Select, TextField } from '../../design/form/fields.tsx';
import { Notice } from '../../design/notice.tsx';
import { Loaded } from '../../design/states.tsx';
import { CopyField } from '../../design/text/copy-field.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { toast } from '../../design/toasts.tsx';
import { type Period, periodIn, periodsAt } from '../time-to-patch/period.ts';
import styles from './evidence.module.css';

/** What an evidence pack is about. */
export type EvidenceSubject = { readonly host: string } | { readonly cve: string } | { readonly tag: string };

interface MakeEvidenceProps {
  readonly subject: EvidenceSubject;
  /** The subject in words: "host alpha". */
  readonly words: string;
  /** Of the button, if there are several. */
  readonly label?: string;
  /** What the form begins with; default: the last quarter. */
  readonly period?: Period;
}

/** Asks for a period and saves a signed evidence pack. */
export function MakeEvidence({ subject, words, label = 'Evidence pack', period }: MakeEvidenceProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>
        <FileCheck aria-hidden /> {label}
      </Button>
      <Dialog
        title={
          <>
            Evidence about <ForeignText text={words} oneLine />
          </>
        }
        isOpen={isOpen}
        onClose={close}
      >
        <EvidenceForm subject={subject} first={period} onDone={close} />
      </Dialog>
    </>
  );
}

interface EvidenceFormProps {
  readonly subject: EvidenceSubject;
  readonly first: Period | undefined;
  readonly onDone: () => void;
}

function EvidenceForm({ subject, first, onDone }: EvidenceFormProps) {
  const [now] = useState(() => new Date());
  const [start] = useState(() => first ?? periodIn({ period: 'last-quarter' }, now));
  const [chosen, setChosen] = useState<string>(start.id);
  const [days, setDays] = useState(() => {
    const last = start.to === null ? now.getTime() : Date.parse(start.to) - 1;
    return { from: start.from.slice(0, 10), to: new Date(last).toISOString().slice(0, 10) };
  });
  const period = periodIn(chosen === 'own' ? days : { period: chosen }, now);
  const isOwnWrong = chosen === 'own' && period.id !== 'own';
  const { mutate, error, isPending } = useAction(async () => {
    // The last day of one's own period may not be over.
    const isOver = period.to !== null && Date.parse(period.to) <= now.getTime();
    await download('/evidence', {
      query: { ...subject, from: period.from, ...(isOver && period.to !== null && { to: period.to }) },
    });
    toast.done('The browser is downloading the evidence pack.');
    onDone();
  });
  return (
    <form
      className={styles['stack']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOwnWrong) mutate();
      }}
    >
      <p>
        A signed zip for auditors: a page to print, CSV and JSON with every finding of the period, its due
        date and whether it was met, and what was not known. The browser downloads it while it is made: of
        some thousand hosts that takes minutes.
      </p>
      {error !== null && <Notice tone="critical">{messageOf(error)}</Notice>}
      <Select
        label="Period"
        value={chosen}
        onChange={setChosen}
        options={[
          ...periodsAt(now).map(({ id, words }) => [id, words] as const),
          ['own', 'Between two days'],
        ]}
      />
      {chosen === 'own' && (
        <div className={styles['days']}>
          <TextField
            label="From"
            type="date"
            value={days.from}
            onChange={(from) => setDays({ ...days, from })}
          />
          <TextField
            label="To, that day included"
            type="date"
            value={days.to}
            onChange={(to) => setDays({ ...days, to })}
          />
        </div>
      )}
      {isOwnWrong && <Notice tone="important">The first day must not be after the last one.</Notice>}
      <SigningKey />
      <div>
        <Button type="submit" look="primary" isPending={isPending} isDisabled={isOwnWrong}>
          {isPending ? 'Making the pack' : 'Make and save'}
        </Button>
      </div>
    </form>
  );
}

/** The fingerprint that an auditor compares. */
function SigningKey() {
  const query = useApi('/evidence/keys');
  return (
    <Loaded query={query} what="Reading the signing key">
      {(keys) => {
        const current = keys.find(({ retired_at }) => retired_at === null);
        if (current === undefined)
          return (
            <p>
              The key that signs packs is made with the first one. Open this dialog again to see its
              fingerprint.
            </p>
          );
        return (
          <div className={styles['stack']}>
            <p>
              Tell the auditor this fingerprint another way than with the file. It is checked by{' '}
              <code>plimsoll verify-evidence FILE --key FINGERPRINT</code>, without a connection.
            </p>
            <CopyField text={current.fingerprint} what="fingerprint" />
          </div>
        );
      }}
    </Loaded>
  );
}
