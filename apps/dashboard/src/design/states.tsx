import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, Inbox, type LucideIcon, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiProblem, messageOf } from '../api/problem.ts';
import { Button } from './button.tsx';
import { HeadingBelow } from './heading-below.tsx';
import styles from './states.module.css';

/** Stands in for what is being read. */
export function Loading({ what = 'Loading' }: { readonly what?: string }) {
  return (
    <div className={styles['bars']} role="status">
      <span className={styles['hidden']}>{what}…</span>
      <span className={styles['bar']} aria-hidden />
      <span className={styles['bar']} aria-hidden />
      <span className={styles['bar']} aria-hidden />
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly icon?: LucideIcon;
  readonly children?: ReactNode;
  /** What a person can do about it. */
  readonly action?: ReactNode;
}

/** There is nothing, and what that means. */
export function Empty({ title, icon: Icon = Inbox, children, action }: EmptyProps) {
  return (
    <div className={styles['state']}>
      <Icon aria-hidden />
      <HeadingBelow>{title}</HeadingBelow>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}

/** It could not be read: why, the request's id for whoever looks into it, and another try. */
export function Failed({ error, retry }: FailedProps) {
  const requestId = error instanceof ApiProblem ? error.requestId : null;
  return (
    <div className={styles['state']} role="alert">
      <CircleAlert aria-hidden />
      <HeadingBelow>This could not be loaded</HeadingBelow>
      <p>{messageOf(error)}</p>
      {requestId !== null && (
        <p className={styles['requestId']}>
          Request <code>{requestId}</code>
        </p>
      )}
      {retry !== undefined && (
        <Button onPress={retry}>
          <RotateCw aria-hidden /> Try again
        </Button>
      )}
    </div>
  );
}

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data, Error>, 'data' | 'isError' | 'error'> & {
    readonly refetch: () => unknown;
  };
  readonly what?: string;
  readonly children: (data: Data) => ReactNode;
}

/** What a query brought, or the state it is in. What was read before stays while it is read again. */
export function Loaded<Data>({ query, what, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return <Loading {...(what === undefined ? {} : { what })} />;
}

/** Words for screen readers alone. */
export function Unseen({ children }: { readonly children: ReactNode }) {
  return <span className={styles['hidden']}>{children}</span>;
}
