import type { VulnerablePackage } from '@plimsoll/contract';
import { Button } from 'react-aria-components/Button';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import styles from '../host.module.css';
import { useHostSearch } from '../host-search.ts';

interface WhyButtonProps {
  readonly finding: Pick<VulnerablePackage, 'name' | 'architecture'>;
  /** Default: the name of the package. */
  readonly words?: string;
}

/** Opens the explanation of a finding. */
export function WhyButton({ finding, words }: WhyButtonProps) {
  const [, change] = useHostSearch();
  return (
    <Button
      className={styles['why'] ?? ''}
      aria-label={`${words === undefined ? '' : `${words}: `}Why ${printable(finding.name, 2_000)} is vulnerable`}
      onPress={() => change({ package: findingId(finding) })}
    >
      {words ?? <ForeignText text={finding.name} />}
    </Button>
  );
}

/** Id of a finding in the address. */
export function findingId({ name, architecture }: Pick<VulnerablePackage, 'name' | 'architecture'>): string {
  return `${name}:${architecture}`;
}
