import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Notice } from '../../../design/notice.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { InstallWarnings } from '../../add-hosts/agent/install-warnings.tsx';
import type { IssuedToken } from '../../add-hosts/agent/issued-token.ts';
import { TokenForm } from '../../add-hosts/agent/token-form.tsx';
import styles from '../settings.module.css';

/** Creates a registration token and shows its secret once. */
export function NewToken({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [issued, setIssued] = useState<IssuedToken | null>(null);
  const close = () => {
    setIssued(null);
    onClose();
  };
  return (
    <Dialog
      title={issued === null ? 'New registration token' : 'Your registration token'}
      isOpen={isOpen}
      onClose={close}
    >
      {issued === null ? <TokenForm onIssued={setIssued} /> : <Secret issued={issued} onClose={close} />}
    </Dialog>
  );
}

function Secret({ issued, onClose }: { readonly issued: IssuedToken; readonly onClose: () => void }) {
  const { token, install_command, warnings, max_uses, expires_at } = issued;
  return (
    <div className={styles['stack']}>
      <Notice tone="important">
        <p>The token is shown only once. Copy it now.</p>
      </Notice>
      <div className={styles['tight']}>
        <h3>Run this on the host, in a root shell</h3>
        <InstallWarnings warnings={warnings} />
        <CopyField text={install_command} what="command" />
      </div>
      <div className={styles['tight']}>
        <h3>Or copy only the token</h3>
        <CopyField text={token} what="token" />
      </div>
      <p className={styles['muted']}>
        Valid for {max_uses === 1 ? 'one host' : `${max_uses} hosts`} until <ExactTime at={expires_at} />.
      </p>
      <div>
        <Button look="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </div>
  );
}
