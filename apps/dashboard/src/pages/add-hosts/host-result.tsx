import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api/queries.ts';
import { LinkButton } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { Failed, Loading } from '../../design/states.tsx';
import { FindingCounts } from './finding-counts.tsx';

interface HostResultProps {
  readonly hostId: string;
  /** The step that has just succeeded. */
  readonly words: ReactNode;
}

/** The findings of a host after its report was matched; shows no older data. */
export function HostResult({ hostId, words }: HostResultProps) {
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...apiQuery('/hosts/{id}', { params: { id: hostId } }),
    refetchOnMount: 'always',
  });
  if (error !== null) return <Failed error={error} retry={() => void refetch()} />;
  return (
    <>
      <Notice tone="good">
        <p>{words}</p>
      </Notice>
      {data === undefined || !isFetchedAfterMount ? (
        <Loading what="Loading the result" />
      ) : (
        <FindingCounts host={data} />
      )}
      <div>
        <LinkButton to="/hosts/$id" params={{ id: hostId }}>
          Go to the host
        </LinkButton>
      </div>
    </>
  );
}
