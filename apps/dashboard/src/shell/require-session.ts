import { redirect } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { session } from '../api/session.ts';

/** Whether this installation has no user yet. Where the server does not say, it has. */
export async function isSetupRequired(): Promise<boolean> {
  try {
    return (await api.get('/setup/status')).setup_required;
  } catch {
    // 404 setup_complete; of anything else the page that comes next will tell.
    return false;
  }
}

/** Lets only users pass who are signed in; others sign in first, or set the installation up. */
export async function requireSession({
  location,
}: {
  readonly location: { readonly href: string };
}): Promise<void> {
  if (session.current() !== null) return;
  if (await isSetupRequired()) throw redirect({ to: '/setup', replace: true });
  const search = location.href === '/' ? {} : { back: location.href };
  throw redirect({ to: '/sign-in', search, replace: true });
}
