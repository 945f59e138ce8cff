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
   * Says how an action ends: the words of its answer, or the error of the action or of `wordsOf`. Use it with
   * `mutateAsync` instead of callbacks of `mutate`, which are not called once the button is gone: because of its own
   * success, or because the user went to another page.
   */
  outcome: <Answer,>(action: Promise<Answer>, wordsOf: string | ((answer: Answer) => string)): void =>
    void action
      .then((answer) => toast.done(typeof wordsOf === 'string' ? wordsOf : wordsOf(answer)))
      .catch(toast.failed),
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
