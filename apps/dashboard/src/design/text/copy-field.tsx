import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import styles from './copy-field.module.css';
import { copyText } from './copy-text.ts';

const shownMs = 4_000;
const stateWords = { idle: '', copied: 'Copied', failed: 'Not copied. The text is selected: press Ctrl+C.' };

/** Text with a copy button: a command, a key, a token. `what` names it: "command". */
export function CopyField({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<keyof typeof stateWords>('idle');
  const shown = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('idle'), shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const hasCopied = await copyText(text, () => {
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
    });
    setState(hasCopied ? 'copied' : 'failed');
  };
  return (
    <div className={styles['copy']}>
      {/*
          biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      */}
      <section className={styles['text']} tabIndex={0} aria-label={what}>
        <pre ref={shown}>{text}</pre>
      </section>
      <span role="status" className={styles['state']}>
        {stateWords[state]}
      </span>
      <Button icon look="quiet" aria-label={`Copy ${what}`} onPress={copy}>
        {state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
      </Button>
    </div>
  );
}
