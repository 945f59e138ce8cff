import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { messageOf } from '../api/problem.ts';
import { useAction } from '../api/queries.ts';
import { Button, type ButtonLook } from './button.tsx';
import styles from './dialog.module.css';
import { Notice } from './notice.tsx';
import { toast } from './toasts.tsx';

interface DialogProps {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Opens at the side, so that the page stays readable. */
  readonly side?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page. Escape or a press outside closes it; the focus returns to where it was. */
export function Dialog({ title, isOpen, onClose, side = false, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
      className={`${styles['veil']} ${side ? styles['sideVeil'] : ''}`}
    >
      <Modal className={`${styles['box']} ${side ? styles['side'] : ''}`}>
        <AriaDialog className={styles['dialog'] ?? ''}>
          <div className={styles['head']}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button look="quiet" icon aria-label="Close" onPress={onClose}>
              <X aria-hidden />
            </Button>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Label of the confirming button: "Delete host". */
  readonly confirm: string;
  readonly onConfirm: () => Promise<unknown>;
  /** What is said when it is done; default: nothing. */
  readonly done?: string;
  readonly children: ReactNode;
}

/** Asks for confirmation of an irreversible action. On failure it stays open and shows the error. */
export function Confirm({ title, isOpen, onClose, confirm, onConfirm, done, children }: ConfirmProps) {
  const proceed = useAction(async () => {
    await onConfirm();
    if (done !== undefined) toast.done(done);
    onClose();
  });
  const close = () => {
    proceed.reset();
    onClose();
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      {proceed.error !== null && <Notice tone="critical">{messageOf(proceed.error)}</Notice>}
      <div>{children}</div>
      <div className={styles['buttons']}>
        <Button onPress={close}>Cancel</Button>
        <Button look="danger" isPending={proceed.isPending} onPress={() => proceed.mutate()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}

interface ConfirmButtonProps extends Omit<ConfirmProps, 'isOpen' | 'onClose'>, ButtonLook {
  readonly button: ReactNode;
  /** Accessible name of the button; default: its content. */
  readonly label?: string;
}

/** A button that asks before it acts. */
export function ConfirmButton({ button, label, look, icon, ...question }: ConfirmButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        onPress={() => setIsAsking(true)}
        {...(look && { look })}
        {...(icon && { icon })}
        {...(label !== undefined && { 'aria-label': label })}
      >
        {button}
      </Button>
      <Confirm {...question} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </>
  );
}
