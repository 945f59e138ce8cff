import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, Inbox, type LucideIcon, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiProblem, messageOf } from '../api/problem.ts';
import { Button } from './button.tsx';
import { HeadingBelow } from './page/heading-below.tsx';
import styles from './states.module.css';

/** Placeholder while data is loading. */
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
  /** What the user can do next. */
  readonly action?: ReactNode;
}

/** An empty result and its meaning. */
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

/** A failed read: the reason, the request's id for an administrator, and a retry button. */
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

/** Renders a query's data, or its loading or error state. Old data stays visible while it is read again. */
export function Loaded<Data>({ query, what, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return <Loading {...(what === undefined ? {} : { what })} />;
}

/** Text only for screen readers. */
export function Unseen({ children }: { readonly children: ReactNode }) {
  return <span className={styles['hidden']}>{children}</span>;
}
