import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { CopyField } from '../../design/text/copy-field.tsx';

interface RecoveryCodesProps {
  /** Null: nothing is shown. */
  readonly codes: readonly string[] | null;
  readonly onClose: () => void;
}

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Dialog title="Save your recovery codes" isOpen={codes !== null} onClose={onClose}>
      <p>
        Each code signs you in once if you lose your app or passkey. Print them, or keep them in a password
        manager. They are not shown again.
      </p>
      <CopyField text={(codes ?? []).join('\n')} what="recovery codes" />
      <div>
        <Button look="primary" onPress={onClose}>
          I have saved them
        </Button>
      </div>
    </Dialog>
  );
}
