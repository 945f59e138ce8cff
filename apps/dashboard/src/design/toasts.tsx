import { X } from 'lucide-react';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { messageOf } from '../api/problem.ts';
import { Button } from './button.tsx';
import styles from './toasts.module.css';

interface Message {
  readonly words: string;
  readonly failed: boolean;
}

const queue = new ToastQueue<Message>({ maxVisibleToasts: 4 });
const shownMs = 6_000;

/** Shows a short message about a finished or failed action. */
export const toast = {
  done: (words: string): void => void queue.add({ words, failed: false }, { timeout: shownMs }),
  failed: (error: unknown): void => void queue.add({ words: messageOf(error), failed: true }),
  /**
   * Says how an action ends: `words`, or its error. For `mutateAsync` of a button that its own success removes: the
   * callbacks of `mutate` are not called once the button is gone.
   */
  outcome: (action: Promise<unknown>, words: string): void =>
    void action.then(() => toast.done(words), toast.failed),
};

/** The region that shows toasts. */
export function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles['region'] ?? ''} aria-label="Messages">
      {({ toast: shown }) => (
        <Toast toast={shown} className={`${styles['toast']} ${shown.content.failed ? styles['failed'] : ''}`}>
          <ToastContent>
            <Text slot="title">{shown.content.words}</Text>
          </ToastContent>
          <Button slot="close" icon look="quiet" aria-label="Dismiss">
            <X aria-hidden />
          </Button>
        </Toast>
      )}
    </ToastRegion>
  );
}
