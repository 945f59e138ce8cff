import type { ReactNode } from 'react';
import { Notice } from '../../../design/notice.tsx';
import { Step } from '../step.tsx';
import { InstallCommand } from './install-command.tsx';
import type { IssuedToken } from './issued-token.ts';

interface InstallStepProps {
  /** Null: the secret was shown before and is not known any more. */
  readonly issued: IssuedToken | null;
  readonly another: ReactNode;
}

/** The command that enrols a host. */
export function InstallStep({ issued, another }: InstallStepProps) {
  return (
    <Step number={1} title="Run this on the host" actions={another} takesFocus={issued !== null}>
      {issued === null ? (
        <Notice tone="neutral">
          <p>
            The command was shown when the token was made, and is not known any more. If you do not have it,
            make another token.
          </p>
        </Notice>
      ) : (
        <InstallCommand issued={issued} />
      )}
    </Step>
  );
}
