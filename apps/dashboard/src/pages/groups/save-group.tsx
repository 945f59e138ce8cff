import { BookmarkPlus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { toast } from '../../design/toasts.tsx';
import { useHostsSearch } from '../hosts/hosts-search.ts';
import { filterInWords } from './group-columns.tsx';
import { GroupForm } from './group-form.tsx';

/** Saves the search and the filters of the list of hosts as a group. */
export function SaveGroup() {
  const [isOpen, setIsOpen] = useState(false);
  const [{ sort: _sort, retired, ...filters }] = useHostsSearch();
  if (retired !== undefined) return null;
  const filter = Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const save = async (fields: { name: string; shared: boolean }) => {
    await api.post('/groups', { body: { ...fields, filter } });
    toast.done('The group is saved.');
    setIsOpen(false);
  };
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>
        <BookmarkPlus aria-hidden /> Save as group
      </Button>
      <Dialog title="Save as group" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <p>Hosts with: {filterInWords(filter)}. Hosts that match later belong to it, too.</p>
        <GroupForm submit="Save group" onSave={save} />
      </Dialog>
    </>
  );
}
