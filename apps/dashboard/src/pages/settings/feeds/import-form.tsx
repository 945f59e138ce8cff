import type { FeedFormat } from '@plimsoll/model';
import { formatOptions } from '@plimsoll/words';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/problem.ts';
import { uploadFile } from '../../../api/upload-file.ts';
import { Button } from '../../../design/button.tsx';
import { Checkbox, Select, TextField } from '../../../design/form/fields.tsx';
import { FileDrop } from '../../../design/form/file-drop.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Progress } from '../../../design/progress.tsx';
import { printable } from '../../../design/text/printable.ts';
import styles from '../settings.module.css';

/** Formats whose records may lack a release. */
const releaseless: readonly (FeedFormat | 'auto')[] = [
  'auto',
  'updateinfo',
  'almalinux-errata',
  'rocky-errata',
];

interface Sending {
  readonly name: string;
  readonly part: number;
  readonly stop: () => void;
}

/** Asks for the format of a file and uploads it. `onTaken` gets the import's id. */
export function ImportForm({ onTaken }: { readonly onTaken: (importId: string) => void }) {
  const [format, setFormat] = useState<FeedFormat | 'auto'>('auto');
  const [release, setRelease] = useState('');
  const [isComplete, setIsComplete] = useState(false);
  const [asOf, setAsOf] = useState('');
  const { sending, failure, send } = useSending(onTaken);
  const needsRelease = releaseless.includes(format);
  const take = (file: File) =>
    send(file, {
      ...(format !== 'auto' && { format }),
      ...(needsRelease && release.trim() !== '' && { release: release.trim() }),
      ...(isComplete && { complete: 'true' }),
      ...(isComplete && asOf !== '' && { as_of: startOfDay(asOf) }),
    });
  return (
    <>
      <div className={styles['pair']}>
        <Select label="What the file is" value={format} onChange={setFormat} options={formatOptions} />
        {needsRelease && (
          <TextField
            label="Release"
            value={release}
            onChange={setRelease}
            placeholder="almalinux:8"
            maxLength={100}
            hint="Only where the file does not say it itself."
          />
        )}
      </div>
      <CompleteChoice isComplete={isComplete} onComplete={setIsComplete} asOf={asOf} onAsOf={setAsOf} />
      {failure !== null && <Notice tone="critical">{messageOf(failure)}</Notice>}
      {sending === null ? (
        <FileDrop label="Drop the file here" onFile={take} />
      ) : (
        <SendingProgress sending={sending} />
      )}
    </>
  );
}

interface CompleteChoiceProps {
  readonly isComplete: boolean;
  readonly onComplete: (isComplete: boolean) => void;
  readonly asOf: string;
  readonly onAsOf: (day: string) => void;
}

function CompleteChoice({ isComplete, onComplete, asOf, onAsOf }: CompleteChoiceProps) {
  return (
    <>
      <div>
        <Checkbox isSelected={isComplete} onChange={onComplete}>
          The file is the whole feed
        </Checkbox>
        <p className={styles['muted']}>
          What it lacks is removed then. Without this it only adds and replaces.
        </p>
      </div>
      {isComplete && (
        <div className={styles['pair']}>
          <TextField
            label="Data as of"
            type="date"
            value={asOf}
            onChange={onAsOf}
            hint="The day the file was fetched. Left empty, its newest record says how old the data is."
          />
        </div>
      )}
    </>
  );
}

function SendingProgress({ sending: { name, part, stop } }: { readonly sending: Sending }) {
  return (
    <div className={styles['tight']}>
      <Progress label={`Sending ${printable(name, 80)}`} part={part} />
      <div>
        <Button onPress={stop}>Cancel</Button>
      </div>
    </div>
  );
}

/** The start of a day (`YYYY-MM-DD`) in the browser's zone: the file may be newer than that, never older. */
function startOfDay(day: string): string {
  return new Date(`${day}T00:00`).toISOString();
}

function useSending(onTaken: (importId: string) => void) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (
    file: File,
    query: {
      readonly format?: FeedFormat;
      readonly release?: string;
      readonly complete?: string;
      readonly as_of?: string;
    },
  ) => {
    const stop = new AbortController();
    running.current = stop;
    setFailure(null);
    const show = (part: number) => setSending({ name: file.name, part, stop: () => stop.abort() });
    show(0);
    try {
      const course = { onProgress: show, signal: stop.signal };
      onTaken((await uploadFile('/feeds/import', file, query, course)).import_id);
    } catch (error) {
      if (!stop.signal.aborted) setFailure(error);
    } finally {
      setSending(null);
    }
  };
  return { sending, failure, send };
}
