import { createHash, randomBytes } from 'node:crypto';
import { confirmationDays, type DeliveryToSend } from '@plimsoll/db';
import type { DeliverContext } from '../open-deliver-context.ts';
import type { SendResult } from '../send-result.ts';
import { anchor, mailPage, paragraph } from './mail-html.ts';
import type { Mail, Mailer } from './mailer.ts';

/**
 * Asks each address of a channel that is not confirmed whether it wants its messages, each with a token of its own, of which only the hash
 * is stored. Another attempt leaves out those that were asked. Nothing that users wrote is in these mails.
 */
export async function sendConfirmations(
  { confirmations, publicUrl }: DeliverContext,
  mailer: Mailer,
  { id, channelId, createdAt, recipients }: DeliveryToSend & { readonly recipients: readonly string[] },
): Promise<SendResult> {
  const asked = new Set(await confirmations.askedSince(channelId, createdAt));
  let status: number | null = null;
  for (const [n, address] of recipients.entries()) {
    if (asked.has(address)) continue;
    const token = `plm_${randomBytes(32).toString('base64url')}`;
    const tokenHash = createHash('sha256').update(token).digest();
    await confirmations.begin({ channelId, address }, tokenHash);
    const result = await mailer.send(confirmationMail(`${id}.${n}`, address, { token, publicUrl }));
    if (result.kind === 'failed') {
      await confirmations.drop(tokenHash);
      return { ...result, askedSeconds: null };
    }
    status = result.status;
  }
  return { kind: 'accepted', status, note: null };
}

function confirmationMail(
  id: string,
  address: string,
  { token, publicUrl }: { readonly token: string; readonly publicUrl: string | null },
): Mail {
  const title = 'Confirm this address';
  const lead =
    'An operator of Plimsoll, which watches the updates of servers, wants to send messages to this address.';
  const url = publicUrl === null ? null : `${publicUrl}/confirm-address#${token}`;
  const how =
    url === null
      ? `To get them, open the page /confirm-address of that Plimsoll within ${confirmationDays} days and enter this code: ${token}`
      : `To get them, open this link within ${confirmationDays} days and confirm:`;
  const otherwise = 'If you know nothing of this, do nothing: nothing else is sent to this address.';
  return {
    id,
    to: [address],
    subject: `[Plimsoll] ${title}`,
    text: [lead, how, ...(url === null ? [] : [url]), otherwise].join('\n\n'),
    html: mailPage({
      title,
      about: null,
      parts: [paragraph(lead), paragraph(how), ...(url === null ? [] : [paragraph(anchor(url, title))])],
      footer: [otherwise],
    }),
  };
}
