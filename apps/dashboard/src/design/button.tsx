import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import styles from './button.module.css';

/** Visual weight of a button. `icon`: no text, so it needs an `aria-label`. */
export interface ButtonLook {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly icon?: boolean;
}

function classOf({ look = 'plain', icon = false }: ButtonLook): string {
  return [styles['button'], look === 'plain' ? '' : styles[look], icon ? styles['icon'] : ''].join(' ');
}

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'>, ButtonLook {
  readonly children?: ReactNode;
}

/** A button. While `isPending` it keeps its size, announces the work and ignores presses. */
export function Button({ look, icon, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={classOf({ ...(look && { look }), ...(icon && { icon }) })}>
      {children}
      {props.isPending === true && (
        <ProgressBar isIndeterminate aria-label="in progress" className={styles['spinner'] ?? ''} />
      )}
    </AriaButton>
  );
}

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement>, ButtonLook {
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLAnchorElement>;
}

/** A link to an address outside the dashboard's pages, styled as a button. */
export function AnchorButton({ look, icon, ...props }: AnchorProps) {
  return <a {...props} className={classOf({ ...(look && { look }), ...(icon && { icon }) })} />;
}

/** A link to another page of the dashboard, styled as a button. */
export const LinkButton = createLink(AnchorButton);
