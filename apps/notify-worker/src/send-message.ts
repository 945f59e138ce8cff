import type { DeliveryToSend } from '@plimsoll/db';
import { channelBox } from '@plimsoll/model';
import { SecretsError } from '@plimsoll/secrets';
import { channelRequest } from './channels/channel-request.ts';
import { mailOfMessage } from './mail/mail-of-message.ts';
import type { Message } from './messages/message.ts';
import type { DeliverContext } from './open-deliver-context.ts';

/** The result of one attempt. */
export type SendResult =
  | {
      readonly kind: 'accepted';
      readonly status: number | null;
      /** What was not accepted besides, as a sentence; null: everything was. */
      readonly note: string | null;
    }
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      readonly reason: string;
      readonly askedSeconds: number | null;
    };

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
  { mailer }: DeliverContext,
  { id, addresses }: DeliveryToSend,
  message: Message,
): Promise<SendResult> {
  if (mailer === null)
    return failed(
      'There is no mail server: set mail.host and mail.from for the notify-worker, and start it again.',
    );
  const result = await mailer.send(mailOfMessage(id, addresses, message));
  if (result.kind === 'failed') return { ...result, askedSeconds: null };
  const note =
    result.refused.length === 0
      ? null
      : `The mail server refused these recipients: ${result.refused.join(', ')}.`;
  return { kind: 'accepted', status: result.status, note };
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
