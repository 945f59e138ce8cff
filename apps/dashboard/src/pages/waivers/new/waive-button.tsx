import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { NewWaiverForm } from './new-waiver-form.tsx';
import { coversOf, mostHosts, mostNames, type WaiverSubject } from './waiver-subject.ts';

interface WaiveButtonProps {
  readonly subject: WaiverSubject;
  /** Label of the button; default: "Accept or snooze…". */
  readonly words?: string;
  /** Names what is accepted for screen readers, where several such buttons are on a page. */
  readonly label?: string;
  readonly look?: 'plain' | 'quiet';
  readonly onSaved?: () => void;
}

/** Opens the dialog for a new waiver. Nothing for users who may not create one, and for a subject without names. */
export function WaiveButton({
  subject,
  words = 'Accept or snooze…',
  label,
  look = 'plain',
  onSaved,
}: WaiveButtonProps) {
  const isOperator = useMay('operator');
  const [isOpen, setIsOpen] = useState(false);
  if (!isOperator || coversOf(subject).length === 0) return null;
  const isTooMuch =
    coversOf(subject).every((covers) => subject[covers].length > mostNames) ||
    subject.hosts.length > mostHosts;
  const close = () => setIsOpen(false);
  return (
    <>
      <Button
        look={look}
        isDisabled={isTooMuch}
        onPress={() => setIsOpen(true)}
        {...(label !== undefined && { 'aria-label': label })}
      >
        <ShieldOff aria-hidden /> {words}
      </Button>
      <Dialog title="Accept or snooze" isOpen={isOpen} onClose={close}>
        <NewWaiverForm
          subject={subject}
          onSaved={() => {
            close();
            onSaved?.();
          }}
        />
      </Dialog>
    </>
  );
}
