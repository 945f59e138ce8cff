import { ExternalLink as Icon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Unseen } from '../states.tsx';
import styles from './external-link.module.css';

/** A link to another site. Addresses other than http(s) are shown as text. */
export function ExternalLink({ url, children }: { readonly url: string; readonly children: ReactNode }) {
  if (!isWebAddress(url)) return children;
  return (
    <a className={styles['link']} href={url} target="_blank" rel="noopener noreferrer">
      {children}
      <Icon aria-hidden />
      <Unseen> (opens in a new tab)</Unseen>
    </a>
  );
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
