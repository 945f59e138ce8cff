import { useSyncExternalStore } from 'react';

/** A question to the user, shared by all requests that need its answer. */
interface Question {
  readonly answer: Promise<boolean>;
  settle(isDone: boolean): void;
}

const listeners = new Set<() => void>();
let question: Question | null = null;

function tell(): void {
  for (const listener of listeners) listener();
}

/** Lets the user prove who they are again, when the server asks for it. The shell shows the dialog. */
export const reauthentication = {
  /** Resolves when the user has proved it (true) or closed the dialog (false). */
  ask(): Promise<boolean> {
    if (question === null) {
      let resolve: (isDone: boolean) => void = () => undefined;
      const answer = new Promise<boolean>((settle) => {
        resolve = settle;
      });
      question = {
        answer,
        settle: (isDone) => {
          question = null;
          resolve(isDone);
          tell();
        },
      };
      tell();
    }
    return question.answer;
  },
  settle: (isDone: boolean): void => question?.settle(isDone),
  isAsked: (): boolean => question !== null,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Whether the dialog is to be shown. */
export function useIsAskedAgain(): boolean {
  return useSyncExternalStore(reauthentication.subscribe, reauthentication.isAsked);
}

const factorListeners = new Set<() => void>();

/** Calls `listener` when the server refuses a request because the user has to set up a second factor first. */
export function onFactorNeeded(listener: () => void): void {
  factorListeners.add(listener);
}

/** Tells the listeners of onFactorNeeded. */
export function tellFactorNeeded(): void {
  for (const listener of factorListeners) listener();
}
