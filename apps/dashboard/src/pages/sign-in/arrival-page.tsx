import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { placeWithin } from '../../shell/text-search.ts';
import { Entrance } from './entrance.tsx';

/** Takes up the session that a sign-in with the provider has started, and goes to the page where it began. */
export function ArrivalPage() {
  const { back } = useSearch({ from: '/arrived' });
  const navigate = useNavigate();
  useEffect(() => {
    const arrive = async () => {
      const signedIn = await api.post('/auth/refresh');
      // Clears the cache: it may hold another user's data.
      queryClient.clear();
      session.begin(signedIn);
      await navigate({ href: placeWithin(back) ?? '/', replace: true });
    };
    const failed = () => navigate({ to: '/sign-in', search: { refused: 'expired' }, replace: true });
    arrive().catch(failed);
  }, [back, navigate]);
  return (
    <Entrance title="Sign in" lead="Signing you in…">
      {null}
    </Entrance>
  );
}
