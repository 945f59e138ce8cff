import { Notice } from '../../../design/notice.tsx';
import type { IssuedToken } from './issued-token.ts';

/** Warnings above the install command, if it cannot work or is unsafe; otherwise renders nothing. */
export function InstallWarnings({ warnings }: Pick<IssuedToken, 'warnings'>) {
  return warnings.map(({ code, detail }) => (
    <Notice key={code} tone={code === 'private_authority' ? 'neutral' : 'important'}>
      <p>{detail}</p>
    </Notice>
  ));
}
