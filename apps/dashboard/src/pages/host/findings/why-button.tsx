import type { VulnerablePackage } from '@plimsoll/contract';
import { Button } from 'react-aria-components/Button';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import styles from '../host.module.css';
import { useHostSearch } from '../use-host-search.ts';

interface WhyButtonProps {
  readonly finding: Pick<VulnerablePackage, 'name' | 'architecture'>;
  /** Default: the name of the package. */
  readonly words?: string;
}

/** Opens the explanation of a finding. */
export function WhyButton({ finding, words }: WhyButtonProps) {
  const [, change] = useHostSearch();
  const { name, architecture } = finding;
  return (
    <Button
      className={styles['why'] ?? ''}
      aria-label={`${words === undefined ? '' : `${words}: `}Why ${printable(name, 2_000)} is vulnerable`}
      onPress={() => change({ package: `${name}:${architecture}` })}
    >
      {words ?? <ForeignText text={name} />}
    </Button>
  );
}
