import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/dialog.tsx';
import { toast } from '../../../design/toasts.tsx';

/** Makes a new key for evidence packs, after a question. */
export function ReplaceKey({ isFirst }: { readonly isFirst: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const replace = useChange(() => api.post('/evidence/keys'), ['/evidence']);
  const proceed = async () => {
    await replace.mutateAsync();
    toast.done('Packs are signed with the new key from now on.');
  };
  return (
    <>
      <Button onPress={() => setIsAsking(true)}>
        <KeyRound aria-hidden /> {isFirst ? 'Make the key' : 'Replace the key'}
      </Button>
      <Confirm
        title={isFirst ? 'Make the signing key?' : 'Replace the signing key?'}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm={isFirst ? 'Make it' : 'Replace it'}
        onConfirm={proceed}
      >
        {isFirst ? (
          <p>All packs are signed with it until it is replaced.</p>
        ) : (
          <p>
            Tell the auditors the new fingerprint: packs are signed with the new key from now on. Earlier
            packs stay valid, and the earlier fingerprint stays listed. Nothing can be signed with the earlier
            key any more; this cannot be undone.
          </p>
        )}
      </Confirm>
    </>
  );
}
