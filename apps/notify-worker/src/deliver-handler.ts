import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptEnd, DeliveryToSend } from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import type { JobHandler, jobs, PayloadOf } from '@plimsoll/queue';
import { bulletinMessage } from './bulletins/bulletin-message.ts';
import { mailRecipients } from './mail/mail-recipients.ts';
import { type Message, parseMessage } from './messages/message.ts';
import { messageOfDelivery } from './messages/message-of-delivery.ts';
import type { DeliverContext } from './open-deliver-context.ts';
import { retrySeconds } from './schedule/retry-seconds.ts';
import { sendConfirmationsOf, sendMessage } from './send-message.ts';
import type { SendResult } from './send-result.ts';

/** Longer than an attempt can take, with time to store its end. */
const leaseSeconds = 120;
/** The time that an attempt may need. */
const attemptSeconds = 45;
/** How long the end of an attempt is tried to be stored, in attempts of one second. */
const storingTries = 100;

const unwritable =
  'This message cannot be written: the log of the notify-worker says why. It is a fault of Plimsoll, not of the receiver.';

/**
 * Handles `notify-deliver`: one attempt of a delivery, if it is due and no other worker has it. What is sent is stored
 * before the first attempt, so that every attempt sends the same. A delivery that cannot be made is a failed attempt, so
 * that it neither spins nor holds up the others of its channel.
 */
export function createDeliverHandler(
  context: DeliverContext,
): JobHandler<PayloadOf<typeof jobs, 'notify-deliver'>> {
  return async ({ deliveryId }) => {
    const delivery = await begin(context, deliveryId);
    if (delivery === null || (await isForNobody(context, delivery))) return;
    if (delivery.kind === 'confirmation') {
      if (!(await context.runs.holds(delivery, attemptSeconds))) return;
      return store(context, delivery, endOf(context, delivery, await sendConfirmationsOf(context, delivery)));
    }
    const message = await messageFor(context, delivery);
    if (message === null) return;
    if (message === 'unwritable') {
      const result = { kind: 'failed', status: null, reason: unwritable, askedSeconds: null } as const;
      await store(context, delivery, endOf(context, delivery, result));
      return;
    }
    if (!(await context.runs.holds(delivery, attemptSeconds))) return;
    const result = await sendMessage(context, delivery, message);
    await store(context, delivery, endOf(context, delivery, result));
  };
}

/** Cancels a delivery of e-mail that no address may get; whether it did. */
async function isForNobody(context: DeliverContext, delivery: DeliveryToSend): Promise<boolean> {
  if (delivery.channelKind !== 'email') return false;
  const { recipients, note } = mailRecipients(delivery, context.mailDomains);
  if (recipients.length > 0) return false;
  await context.runs.cancel(delivery, note ?? 'No address has to confirm itself, or may get e-mail.');
  return true;
}

/** Null if the delivery is not to be attempted now. */
async function begin(context: DeliverContext, deliveryId: string): Promise<DeliveryToSend | null> {
  const { runs, metrics, log, clock } = context;
  try {
    return await runs.begin(deliveryId, leaseSeconds);
  } catch (error) {
    // Fails as well if the database is away: then nothing has happened.
    const noted = await runs.noteUnbegun(deliveryId, unwritable, ({ attempt, dueAt }) =>
      retrySeconds({ attempt, dueAt, now: clock(), askedSeconds: null }, Math.random()),
    );
    log.error({ err: error, deliveryId }, 'a delivery cannot be begun');
    if (noted !== null) {
      metrics.attempt(noted.channelKind, 'failed');
      if (noted.isGivenUp) metrics.givenUp(noted.channelKind);
    }
    return null;
  }
}

/** The stored message, or a new one that is stored now; null: another run has the delivery. */
async function messageFor(
  context: DeliverContext,
  delivery: DeliveryToSend,
): Promise<Message | null | 'unwritable'> {
  const { runs, publicUrl, log } = context;
  try {
    if (delivery.content !== null) return parseMessage(delivery.content);
    const message =
      delivery.kind === 'bulletin'
        ? await messageOfBulletin(context, delivery)
        : messageOfDelivery(delivery, publicUrl);
    if (message === null) return null;
    return (await runs.keepContent(delivery, message)) ? message : null;
  } catch (error) {
    log.error({ err: error, deliveryId: delivery.id }, 'a message cannot be written');
    return 'unwritable';
  }
}
/** Null: the report is not to be sent, and its delivery is cancelled. */
async function messageOfBulletin(
  { runs, bulletins, publicUrl }: DeliverContext,
  delivery: DeliveryToSend,
): Promise<Message | null> {
  const made = delivery.bulletinId === null ? null : await bulletins.make(delivery.bulletinId, wholeFleet);
  if (made?.kind === 'made') return bulletinMessage(delivery, made, publicUrl);
  await runs.cancel(delivery, made?.reason ?? 'The report was deleted.');
  return null;
}

function endOf(
  { metrics, clock }: DeliverContext,
  { attempt, dueAt, kind, channelKind }: DeliveryToSend,
  result: SendResult,
): AttemptEnd {
  metrics.attempt(channelKind, result.kind);
  if (result.kind === 'accepted')
    return { outcome: 'accepted', status: result.status, error: result.note, retrySeconds: null };
  // A test is for a user who waits for its result.
  const seconds =
    kind === 'test'
      ? null
      : retrySeconds({ attempt, dueAt, now: clock(), askedSeconds: result.askedSeconds }, Math.random());
  if (seconds === null) metrics.givenUp(channelKind);
  return { outcome: 'failed', status: result.status, error: result.reason, retrySeconds: seconds };
}

/** Stores the end of an attempt, also if the database is away for a while: what was accepted must not be sent again. */
async function store(
  { runs, log }: DeliverContext,
  delivery: DeliveryToSend,
  end: AttemptEnd,
): Promise<void> {
  const { id: deliveryId, attempt, channelKind } = delivery;
  for (let tries = 1; ; tries += 1) {
    try {
      await runs.end(delivery, end);
      break;
    } catch (error) {
      if (tries >= storingTries) throw error;
      if (tries === 1)
        log.warn({ err: error, deliveryId }, 'the end of an attempt cannot be stored; trying again');
      await delay(1_000);
    }
  }
  const fields = { deliveryId, attempt, channelKind, status: end.status };
  if (end.outcome === 'accepted') log.info(fields, 'notification delivered');
  else
    log.warn({ ...fields, reason: end.error, retrySeconds: end.retrySeconds }, 'notification not delivered');
}
