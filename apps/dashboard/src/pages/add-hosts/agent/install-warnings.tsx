import { Notice } from '../../../design/notice.tsx';
import type { IssuedToken } from './issued-token.ts';

/** What keeps the install command from working, or makes it unsafe: shown above the command. Nothing where nothing does. */
export function InstallWarnings({ warnings }: Pick<IssuedToken, 'warnings'>) {
  return warnings.map(({ code, detail }) => (
    <Notice key={code} tone={code === 'private_authority' ? 'neutral' : 'important'}>
      <p>{detail}</p>
    </Notice>
  ));
}
