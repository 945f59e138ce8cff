import { type VexFormat, vexFormats } from '@plimsoll/words';
import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { download } from '../../api/download.ts';
import { messageOf } from '../../api/problem.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Select } from '../../design/form/fields.tsx';
import { Notice } from '../../design/notice.tsx';
import { toast } from '../../design/toasts.tsx';
import { TagsInput } from '../tags/tags-input.tsx';
import styles from './waivers.module.css';

/** Saves what is known of hosts as a VEX document: of all hosts or a tag, about one CVE if it is given. */
export function ExportVex({ cve }: { readonly cve?: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>
        <FileDown aria-hidden /> Export VEX…
      </Button>
      <Dialog
        title={cve === undefined ? 'Export a VEX document' : `VEX document about ${cve}`}
        isOpen={isOpen}
        onClose={close}
      >
        <ExportForm {...(cve !== undefined && { cve })} onDone={close} />
      </Dialog>
    </>
  );
}

function ExportForm({ cve, onDone }: { readonly cve?: string; readonly onDone: () => void }) {
  const [format, setFormat] = useState<VexFormat>('openvex');
  const [tag, setTag] = useState('');
  const { mutate, error, isPending } = useAction(async () => {
    const named = tag.trim();
    await download('/vex', {
      query: { format, ...(named !== '' && { tag: named }), ...(cve !== undefined && { cve }) },
    });
    toast.done('The browser is downloading the VEX document.');
    onDone();
  });
  return (
    <form
      className={styles['stack']}
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <p>
        For each approved host{cve !== undefined && ' that is affected'}, its packages with open
        vulnerabilities{cve !== undefined && ` under ${cve}`} and what waivers say of them. What is not named
        was not found. CSAF and CycloneDX say of how many hosts not all is known; OpenVEX cannot. A document
        can have some hundred kilobytes for each host.
      </p>
      {error !== null && <Notice tone="critical">{messageOf(error)}</Notice>}
      <Select label="Format" value={format} onChange={setFormat} options={vexFormats} />
      <TagsInput
        label="Only hosts with this tag"
        hint="Empty: all approved hosts."
        many={false}
        value={tag}
        onChange={setTag}
      />
      <div>
        <Button type="submit" look="primary" isPending={isPending}>
          {isPending ? 'Making the document' : 'Make and save'}
        </Button>
      </div>
    </form>
  );
}
