import './design/tokens.css';
import './design/base.css';
import './design/print.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { session } from './api/session.ts';
import { router } from './router.tsx';

// An expired session leads to sign-in and back; a sign-out leads to sign-in.
session.subscribe(() => {
  if (session.current() !== null) return;
  queryClient.clear();
  const here = router.state.location.href;
  const wasExpired = session.end() === 'expired';
  void router.navigate({
    to: '/sign-in',
    search: wasExpired ? { back: here, expired: 'true' } : {},
    replace: wasExpired,
  });
});

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
