import { useContext, useRef, useState, useSyncExternalStore } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { InTable } from '../table/in-table.ts';
import { useExactTimes } from './exact-times.ts';
import { exactTime, relativeTime } from './moment-words.ts';
import styles from './time.module.css';

const tickMs = 30_000;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    now = Date.now();
    listener();
  }, tickMs);
  return () => clearInterval(timer);
}

/**
 * A moment as its distance from now. Date, time and zone appear on hover, focus and touch, in print, and always after
 * the user chose exact times. Do not place it in links or buttons. Null: `never`.
 */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const from = useSyncExternalStore(subscribe, () => now);
  const isExact = useExactTimes();
  if (at === null || at === undefined) return <>never</>;
  const moment = new Date(at);
  if (isExact) return <ExactTime at={at} />;
  const words = relativeTime(moment.getTime(), Math.max(from, Date.now()));
  return <Explained at={at} words={words} exact={exactTime(moment)} />;
}

interface ExplainedProps {
  readonly at: string;
  readonly words: string;
  readonly exact: string;
}

function Explained({ at, words, exact }: ExplainedProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isInTable = useContext(InTable);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={styles['time']}
        aria-description={exact}
        // In tables keyboard users switch on exact times instead of a Tab stop in every row.
        tabIndex={isInTable ? -1 : 0}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setIsOpen(true)}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setIsOpen(false)}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onClick={() => setIsOpen(true)}
        onKeyDown={({ key }) => key === 'Escape' && setIsOpen(false)}
      >
        <time dateTime={at}>{words}</time>
      </button>
      <span className={isInTable ? styles['printedInTable'] : styles['printed']}>{exact}</span>
      {isOpen && (
        <TooltipTrigger isOpen onOpenChange={setIsOpen}>
          <Tooltip triggerRef={trigger} className={styles['tip'] ?? ''}>
            {exact}
          </Tooltip>
        </TooltipTrigger>
      )}
    </>
  );
}

/** Date and time in the browser's zone. */
export function ExactTime({ at }: { readonly at: string }) {
  return <time dateTime={at}>{exactTime(new Date(at))}</time>;
}
