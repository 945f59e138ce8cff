import type { FormEvent, ReactNode } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import { ApiProblem, messageOf } from '../../api/problem.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../button.tsx';
import { Notice } from '../notice.tsx';
import styles from './field.module.css';

interface FormProps {
  /** Label of the submit button. */
  readonly submit: string;
  /** Sends the fields' values by name. The form shows the error of a rejection, at its field if it names one. */
  readonly onSubmit: (values: FormData) => Promise<unknown>;
  readonly look?: 'primary' | 'danger';
  readonly children: ReactNode;
}

/** Fields with a submit button. */
export function Form({ submit, onSubmit, look = 'primary', children }: FormProps) {
  const { mutate, error: failure, isPending } = useAction(onSubmit);
  const fieldErrors = failure instanceof ApiProblem ? errorsByName(failure) : {};
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) mutate(new FormData(event.currentTarget));
  };
  return (
    <AriaForm className={styles['form'] ?? ''} onSubmit={send} validationErrors={fieldErrors}>
      {failure !== null && (
        <div ref={bringIntoView}>
          <Notice tone="critical">{messageOf(failure)}</Notice>
        </div>
      )}
      {children}
      <div>
        <Button type="submit" look={look} isPending={isPending}>
          {submit}
        </Button>
      </div>
    </AriaForm>
  );
}

/** Long forms are sent from below, where the message above them is not seen. */
function bringIntoView(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: 'nearest' });
}

function errorsByName({ fields }: ApiProblem): Record<string, string> {
  return Object.fromEntries(fields.map(({ pointer, detail }) => [pointer.split('/')[1] ?? '', detail]));
}
