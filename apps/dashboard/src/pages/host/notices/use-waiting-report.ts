import type { Upload } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/queries.ts';

const pollMs = 5_000;

/**
 * The newest upload of a host if it is not parsed yet; null if it is parsed or the host has no upload, `unknown` until it
 * is read.
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
