import { redirect } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { session } from '../api/session.ts';

/** Whether this installation has no user yet. False if the server does not say. */
export async function isSetupRequired(): Promise<boolean> {
  try {
    return (await api.get('/setup/status')).setup_required;
  } catch {
    // 404 setup_complete; the next page shows any other error.
    return false;
  }
}

/**
 * Takes up the session of this browser; redirects users without one to sign-in or to the setup. Rejects if the server
 * does not say whether the session goes on.
 */
export async function requireSession({
  location,
}: {
  readonly location: { readonly href: string };
}): Promise<void> {
  if (session.current() !== null) return;
  await session.resume();
  if (session.current() !== null) return;
  if (await isSetupRequired()) throw redirect({ to: '/setup', replace: true });
  const search = {
    ...(location.href !== '/' && { back: location.href }),
    ...(session.end() === 'expired' && { expired: 'true' }),
  };
  throw redirect({ to: '/sign-in', search, replace: true });
}
