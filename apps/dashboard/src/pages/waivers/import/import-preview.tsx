import type { VexImport } from '@plimsoll/contract';
import { vexRejectionWords, waiverKindWords } from '@plimsoll/words';
import { useState } from 'react';
import { messageOf } from '../../../api/problem.ts';
import { useAction } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { amountInWords, groupedNumber, hostsInWords } from '../../../design/number-words.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { coveredInWords, placeInWords } from '../../../words/waiver-words.ts';
import styles from '../waivers.module.css';

interface ImportPreviewProps {
  readonly result: VexImport;
  readonly onBack: () => void;
  readonly onCreate: () => Promise<unknown>;
}

/** What a document would create, and what of it is left out and why. */
export function ImportPreview({ result, onBack, onCreate }: ImportPreviewProps) {
  const create = useAction(onCreate);
  const { waivers, accepted, statements, rejected } = result;
  return (
    <div className={styles['stack']}>
      {create.error !== null && <Notice tone="critical">{messageOf(create.error)}</Notice>}
      <p role="status">
        {groupedNumber(accepted)} of {amountInWords(statements, 'statement', 'statements')} would become{' '}
        {amountInWords(waivers.length, 'waiver', 'waivers')}.
      </p>
      {waivers.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
        <ul className={styles['names']} tabIndex={0} aria-label="Waivers to create">
          {waivers.map((waiver, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list whose rows have no id
            <li key={n}>
              {waiverKindWords[waiver.kind].words}: {coveredInWords({ ...waiver, packages: [] })} on{' '}
              {placeInWords(waiver)}, {amountInWords(waiver.matched_findings, 'finding', 'findings')} on{' '}
              {hostsInWords(waiver.matched_hosts)} now
            </li>
          ))}
        </ul>
      )}
      {rejected.length > 0 && <Rejected rejected={rejected} />}
      <div className={styles['buttons']}>
        <Button onPress={onBack}>Back</Button>
        <Button
          look="primary"
          isDisabled={waivers.length === 0}
          isPending={create.isPending}
          onPress={() => create.mutate()}
        >
          Create {amountInWords(waivers.length, 'waiver', 'waivers')}
        </Button>
      </div>
    </div>
  );
}

const shownAtOnce = 100;

function Rejected({ rejected }: Pick<VexImport, 'rejected'>) {
  const [count, setCount] = useState(shownAtOnce);
  return (
    <section>
      <h3>{amountInWords(rejected.length, 'statement is', 'statements are')} left out</h3>
      {/*
          biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      */}
      <ul className={styles['names']} tabIndex={0} aria-label="Statements that are left out">
        {rejected.slice(0, count).map(({ pointer, vulnerability, product, reason }) => (
          <li key={pointer}>
            <ForeignText text={vulnerability === '' ? pointer : vulnerability} />{' '}
            <ForeignText text={product} mono />: {vexRejectionWords[reason]}
          </li>
        ))}
      </ul>
      {rejected.length > count && (
        <Button look="quiet" onPress={() => setCount(rejected.length)}>
          Show {groupedNumber(rejected.length - count)} more
        </Button>
      )}
    </section>
  );
}
