import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './copy-field.module.css';
import { Unseen } from './states.tsx';

const shownMs = 2_000;

/** Text to be taken elsewhere whole: a command, a key, a token. `what` names it: "command". */
export function CopyField({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const shown = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // Without https browsers give no clipboard: the text is selected, so that Ctrl-C takes it.
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
    }
  };
  return (
    <div className={styles['copy']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section className={styles['text']} tabIndex={0} aria-label={what}>
        <pre ref={shown}>{text}</pre>
      </section>
      <Button icon look="quiet" aria-label={`Copy ${what}`} onPress={copy}>
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </Button>
      <Unseen>
        <span role="status">{isCopied ? 'Copied' : ''}</span>
      </Unseen>
    </div>
  );
}
