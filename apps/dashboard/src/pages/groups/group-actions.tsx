import type { Group } from '@plimsoll/contract';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { ConfirmButton, Dialog } from '../../design/dialog.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { printable } from '../../design/text/printable.ts';
import { toast } from '../../design/toasts.tsx';
import { GroupForm } from './group-form.tsx';
import styles from './groups.module.css';

/** Renames, shares or deletes a group: one's own, or for an admin any that is shown. */
export function GroupActions({ group }: { readonly group: Group }) {
  const isAdmin = useMay('admin');
  const [isChanging, setIsChanging] = useState(false);
  const remove = useChange(() => api.delete('/groups/{id}', { params: { id: group.id } }), ['/groups']);
  const save = async (fields: { name: string; shared: boolean }) => {
    await api.patch('/groups/{id}', { params: { id: group.id }, body: fields });
    toast.done('The group is changed.');
    setIsChanging(false);
  };
  if (!group.is_own && !isAdmin) return null;
  const name = printable(group.name, 60);
  return (
    <span className={styles['actions']}>
      <Button icon look="quiet" aria-label={`Change the group ${name}`} onPress={() => setIsChanging(true)}>
        <Pencil aria-hidden />
      </Button>
      <Dialog title="Change the group" isOpen={isChanging} onClose={() => setIsChanging(false)}>
        <GroupForm submit="Save" group={group} onSave={save} />
      </Dialog>
      <ConfirmButton
        button={<Trash2 aria-hidden />}
        icon
        look="quiet"
        label={`Delete the group ${name}`}
        title="Delete this group?"
        confirm="Delete group"
        onConfirm={() => remove.mutateAsync()}
      >
        <p>
          <strong>
            <ForeignText text={group.name} oneLine />
          </strong>{' '}
          is deleted{group.shared ? ' for everybody' : ''}. Its hosts stay.
        </p>
      </ConfirmButton>
    </span>
  );
}
