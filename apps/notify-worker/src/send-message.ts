import type { DeliveryToSend } from '@plimsoll/db';
import { channelBox } from '@plimsoll/model';
import { SecretsError } from '@plimsoll/secrets';
import { channelRequest } from './channels/channel-request.ts';
import { mailOfMessage } from './mail/mail-of-message.ts';
import { mailRecipients } from './mail/mail-recipients.ts';
import { sendConfirmations } from './mail/send-confirmations.ts';
import type { Message } from './messages/message.ts';
import type { DeliverContext } from './open-deliver-context.ts';
import type { SendResult } from './send-result.ts';

/** Sends a message to the channel of its delivery, once. */
export async function sendMessage(
  context: DeliverContext,
  delivery: DeliveryToSend,
  message: Message,
): Promise<SendResult> {
  const { channelKind } = delivery;
  if (channelKind === 'email') return sendMail(context, delivery, message);
  const opened = await openSecrets(context, delivery);
  if (opened.kind === 'failed') return opened;
  const { url, secret, previousSecret } = opened;
  const request = channelRequest(channelKind, {
    deliveryId: delivery.id,
    url,
    secret,
    previousSecret,
    message,
    now: context.clock(),
  });
  const result = await context.poster.post(request);
  return result.kind === 'accepted' ? { ...result, note: null } : result;
}

async function sendMail(
  context: DeliverContext,
  delivery: DeliveryToSend,
  message: Message,
): Promise<SendResult> {
  const { mailer, mailDomains } = context;
  if (mailer === null) return noMailServer();
  const { recipients, note } = mailRecipients(delivery, mailDomains);
  const result = await mailer.send(mailOfMessage(delivery.id, recipients, message));
  if (result.kind === 'failed') return { ...result, askedSeconds: null };
  const refused =
    result.refused.length === 0
      ? []
      : [`The mail server refused these recipients: ${result.refused.join(', ')}.`];
  const notes = [...refused, ...(note === null ? [] : [note])];
  return { kind: 'accepted', status: result.status, note: notes.length === 0 ? null : notes.join(' ') };
}

/** Asks the addresses of a channel to confirm themselves, once. */
export async function sendConfirmationsOf(
  context: DeliverContext,
  delivery: DeliveryToSend,
): Promise<SendResult> {
  const { mailer, mailDomains } = context;
  if (mailer === null) return noMailServer();
  return sendConfirmations(context, mailer, { ...delivery, ...mailRecipients(delivery, mailDomains) });
}

function noMailServer(): SendResult {
  return failed(
    'There is no mail server: set mail.host and mail.from for the notify-worker, and start it again.',
  );
}

interface Opened {
  readonly kind: 'opened';
  readonly url: URL;
  readonly secret: string | null;
  readonly previousSecret: string | null;
}

async function openSecrets(
  { ring }: DeliverContext,
  { channelId, sealedUrl, sealedSecret, sealedPrevious }: DeliveryToSend,
): Promise<Opened | Extract<SendResult, { kind: 'failed' }>> {
  const open = async (box: Buffer | null, part: 'url' | 'secret') => {
    if (box === null) return null;
    const plain = await ring.open(box, channelBox(channelId, part));
    const text = plain.toString('utf8');
    plain.fill(0);
    return text;
  };
  try {
    const url = await open(sealedUrl, 'url');
    if (url === null || !URL.canParse(url)) return failed('The channel has no address: enter it again.');
    return {
      kind: 'opened',
      url: new URL(url),
      secret: await open(sealedSecret, 'secret'),
      previousSecret: await open(sealedPrevious, 'secret'),
    };
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    return failed(
      'The address or the secret of the channel cannot be opened with the key of this notify-worker: put its key back ' +
        '(notifications.keys_dir), or enter both again.',
    );
  }
}

function failed(reason: string): Extract<SendResult, { kind: 'failed' }> {
  return { kind: 'failed', status: null, reason, askedSeconds: null };
}
