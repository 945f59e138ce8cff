import './design/tokens.css';
import './design/base.css';
import './design/print.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { onFactorNeeded } from './api/reauthentication.ts';
import { session } from './api/session.ts';
import { refuseHtml } from './design/trusted-html.ts';
import { router } from './router.tsx';
import { keepFocus } from './shell/keep-focus.ts';

refuseHtml();
keepFocus();

// An expired session leads to sign-in and back; a sign-out leads to sign-in.
let signedIn = session.current()?.user.id;
session.subscribe(() => {
  const before = signedIn;
  signedIn = session.current()?.user.id;
  if (before === undefined || before === signedIn) return;
  // Data of another user.
  queryClient.clear();
  if (signedIn !== undefined) return;
  const here = router.state.location.href;
  const wasExpired = session.end() === 'expired';
  const left = session.end() === 'unconfirmed' ? { unconfirmed: 'true' } : {};
  void router.navigate({
    to: '/sign-in',
    search: wasExpired ? { back: here, expired: 'true' } : left,
    replace: wasExpired,
  });
});

// The account page is where a second factor is set up.
onFactorNeeded(() => void router.navigate({ to: '/account', replace: true }));

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no place for the dashboard.');
createRoot(place).render(
  <StrictMode>
    {/* Words are English everywhere, so numbers and the rest of the components' words are, too. */}
    <I18nProvider locale="en-GB">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
