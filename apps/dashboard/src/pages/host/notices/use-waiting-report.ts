import type { Upload } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/queries.ts';

const pollMs = 5_000;

/**
 * The newest upload of a host where it is stored and not parsed yet; null where there is none or it is parsed, `unknown`
 * while that is not known.
 */
export function useWaitingReport(id: string): Upload | 'unknown' | null {
  const { data } = useQuery({
    ...apiQuery('/hosts/{id}/uploads', { params: { id }, query: { limit: '1' } }),
    refetchInterval: pollMs,
  });
  if (data === undefined) return 'unknown';
  const [newest] = data;
  return newest?.state === 'received' ? newest : null;
}
