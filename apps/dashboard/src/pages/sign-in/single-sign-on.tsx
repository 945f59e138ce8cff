import { AnchorButton } from '../../design/button.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';

interface SingleSignOnProps {
  readonly label: string;
  /** The page to return to. */
  readonly back: string | null;
  /** Whether it is the usual way to sign in. */
  readonly isMain: boolean;
  /** Whether the provider must authenticate the user anew. */
  readonly isAgain?: boolean;
}

/** The way to the sign-in page of the OpenID Connect provider. */
export function SingleSignOn({ label, back, isMain, isAgain = false }: SingleSignOnProps) {
  const asked = new URLSearchParams({ ...(isAgain && { again: 'true' }), ...(back !== null && { back }) });
  const query = asked.size === 0 ? '' : `?${asked}`;
  return (
    <AnchorButton href={`/api/v1/auth/oidc/start${query}`} look={isMain ? 'primary' : 'plain'}>
      <ForeignText text={label} oneLine />
    </AnchorButton>
  );
}
