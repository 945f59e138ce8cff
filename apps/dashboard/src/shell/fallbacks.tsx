import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { LinkButton } from '../design/button.tsx';
import { Page } from '../design/page.tsx';
import { Empty, Failed } from '../design/states.tsx';

/** An address that leads to no page. */
export function NotFound() {
  return (
    <Page title="Nothing here">
      <Empty
        title="There is no such page"
        icon={Compass}
        action={<LinkButton to="/">To the fleet</LinkButton>}
      >
        The address may be mistyped, or what it showed is gone.
      </Empty>
    </Page>
  );
}

/** A page that broke, or whose code could not be fetched. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
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
