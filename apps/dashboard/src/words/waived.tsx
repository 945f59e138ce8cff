import type { VulnerablePackage } from '@plimsoll/contract';
import { waiverKindWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { ShieldOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../design/badge.tsx';
import { ForeignText } from '../design/text/foreign-text.tsx';
import { ExactTime } from '../design/time/time.tsx';
import styles from './waived.module.css';

/** The waiver of a finding, an advisory or a host's packages. */
export type BornWaiver = NonNullable<VulnerablePackage['waiver']>;

/** Says that something is waived, by whom and until when; leads to the waiver. */
export function WaivedBadge({ waiver }: { readonly waiver: BornWaiver }) {
  const { id, kind, created_by, expires_at } = waiver;
  return (
    <span className={styles['waived']}>
      <Badge tone="neutral" icon={ShieldOff} title={waiverKindWords[kind].meaning}>
        Waived
      </Badge>
      <Link to="/waivers" search={{ id }} className={styles['by'] ?? ''}>
        {waiverKindWords[kind].words} by <ForeignText text={created_by} /> until <ExactTime at={expires_at} />
      </Link>
    </span>
  );
}

/** Content that is struck through if a waiver covers it. */
export function Struck({
  by,
  children,
}: {
  /** The waiver, or `true` for several. */
  readonly by: BornWaiver | true | undefined;
  readonly children: ReactNode;
}) {
  return by === undefined ? children : <s className={styles['struck']}>{children}</s>;
}
