import type { PackageFamily } from '@plimsoll/model';
import { collectorWords } from '@plimsoll/words';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { fetchFile } from '../../../api/download.ts';
import { Button } from '../../../design/button.tsx';
import { Select } from '../../../design/form/fields.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../add-hosts.module.css';
import { Step } from '../step.tsx';

const families = Object.entries(collectorWords) as [PackageFamily, string][]; // Object.entries forgets the keys.

/** The collector for a package family, which can be changed, and how to run it. `family`: the first choice. */
export function CollectorStep({ family: known }: { readonly family: PackageFamily }) {
  const [family, setFamily] = useState<PackageFamily>(known);
  const [isPending, setIsPending] = useState(false);
  const name = `collector-${family}.sh`;
  const fetchScript = async () => {
    setIsPending(true);
    try {
      await fetchFile('/hosts/manual/script', { query: { os_family: family } });
    } catch (error) {
      toast.failed(error);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <Step number={2} title="Run the collector">
      <div className={styles['pair']}>
        <Select label="Package manager" value={family} onChange={setFamily} options={families} />
      </div>
      <div>
        <Button isPending={isPending} onPress={fetchScript}>
          <Download aria-hidden /> Download {name}
        </Button>
      </div>
      <p>
        Copy it to the host and run it there. You can read it first: it changes nothing and sends nothing. It
        also works without root, but then reports fewer services to restart.
      </p>
      <CopyField text={`sudo sh ${name} > report.txt`} what="command" />
    </Step>
  );
}
