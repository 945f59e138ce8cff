import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Compass, RotateCw, Unplug } from 'lucide-react';
import { useEffect } from 'react';
import { Button, LinkButton } from '../design/button.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty, Failed } from '../design/states.tsx';
import { PageMissing, reloadIfUpgraded } from './load-page.ts';

/** The page for an unknown address. */
export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty
        title="This page does not exist"
        icon={Compass}
        action={<LinkButton to="/">Go to the fleet</LinkButton>}
      >
        Check the address. What it showed may have been deleted.
      </Empty>
    </Page>
  );
}

/** The page after an error, or if its code cannot be fetched. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof PageMissing) return <Missing error={error} />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title="Something went wrong">
      <Failed error={error} retry={retry} />
    </Page>
  );
}

/** Reloads the page after an upgrade; otherwise offers a reload button. */
function Missing({ error }: { readonly error: PageMissing }) {
  useEffect(() => void reloadIfUpgraded(), []);
  return (
    <Page title="Reload needed">
      <div role="alert">
        <Empty
          title={error.message}
          icon={Unplug}
          action={
            <Button look="primary" onPress={() => location.reload()}>
              <RotateCw aria-hidden /> Reload
            </Button>
          }
        />
      </div>
    </Page>
  );
}
