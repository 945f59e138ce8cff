import type { DeliveryToSend } from '@plimsoll/db';
import { isPermittedAddress } from '@plimsoll/model';

/** To whom a delivery goes, and to whom it does not although its channel names them. */
export interface MailRecipients {
  readonly recipients: readonly string[];
  /** A sentence; null: all get it. */
  readonly note: string | null;
}

/** The addresses of a channel for e-mail that are confirmed, for a confirmation those that are not, in permitted domains. */
export function mailRecipients(
  { kind, addresses, unconfirmed }: Pick<DeliveryToSend, 'kind' | 'addresses' | 'unconfirmed'>,
  domains: readonly string[],
): MailRecipients {
  const isAsked = kind === 'confirmation';
  const recipients = addresses.filter(
    (address) => unconfirmed.includes(address) === isAsked && isPermittedAddress(address, domains),
  );
  const left = isAsked ? [] : addresses.filter((address) => !recipients.includes(address));
  const note =
    left.length === 0
      ? null
      : `Nothing was sent to these recipients, which did not confirm their address or are not in notifications.mail_domains: ${left.join(', ')}.`;
  return { recipients, note };
}
