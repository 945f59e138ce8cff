import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type BulletinMaker,
  createDeliveryRunStore,
  createMailConfirmationStore,
  type DeliveryRunStore,
  type MailConfirmationStore,
} from '@plimsoll/db';
import { createChannelAddressPolicy, proxiesOf } from '@plimsoll/outbound';
import type { Logger, ProcessEnvironment } from '@plimsoll/process';
import { createKeyFiles, createKeyRing, type KeyRing, readSealingPublicKey } from '@plimsoll/secrets';
import { openBulletinMaker } from './bulletins/open-bulletin-maker.ts';
import { createDeliveryMetrics, type DeliveryMetrics } from './delivery-metrics.ts';
import { createPoster, type Poster } from './http/post.ts';
import { createMailer, type Mailer } from './mail/mailer.ts';

/** The dependencies of deliveries. */
export interface DeliverContext {
  readonly runs: DeliveryRunStore;
  readonly bulletins: BulletinMaker;
  readonly confirmations: MailConfirmationStore;
  readonly ring: KeyRing;
  readonly poster: Poster;
  /** Null: no mail server or sender is set. */
  readonly mailer: Mailer | null;
  /** Domains to which e-mail may go; empty: any. */
  readonly mailDomains: readonly string[];
  /** The address of the dashboard, without a slash at the end; null: unknown. */
  readonly publicUrl: string | null;
  readonly metrics: DeliveryMetrics;
  readonly log: Logger;
  readonly clock: () => Date;
  close(): Promise<void>;
}

/** From the configuration, with proxies from `env` if it has none. Makes the sealing keys if there are none, and publishes the public one in the database. */
export async function openDeliverContext(
  { config, db, metrics, log }: ProcessEnvironment,
  env: Parameters<typeof proxiesOf>[1],
): Promise<DeliverContext> {
  const runs = createDeliveryRunStore(db);
  const folder = config['notifications.keys_dir'] ?? path.join(config.data_dir, 'secrets', 'notifications');
  const files = { keysFile: path.join(folder, 'keys'), publicKeyFile: path.join(folder, 'public-key') };
  await createKeyFiles(files);
  const publicKey = await readSealingPublicKey(files.publicKeyFile);
  await runs.publishKey(publicKey.keyId, publicKey.bytes);
  const poster = createPoster({
    policy: createChannelAddressPolicy(config['notifications.allowed_networks']),
    proxies: proxiesOf(config['feeds.proxy'], env),
    proxiedNames: config['notifications.proxied_names'],
  });
  return {
    runs,
    bulletins: openBulletinMaker(db),
    confirmations: createMailConfirmationStore(db),
    ring: createKeyRing(files.keysFile),
    poster,
    mailer: await openMailer(config),
    mailDomains: config['notifications.mail_domains'],
    publicUrl: config['api.public_url']?.replace(/\/$/, '') ?? null,
    metrics: createDeliveryMetrics(metrics),
    log,
    clock: () => new Date(),
    close: () => poster.close(),
  };
}

async function openMailer(config: ProcessEnvironment['config']): Promise<Mailer | null> {
  const { 'mail.host': host, 'mail.from': from, 'mail.ca_file': file } = config;
  if (host === null || from === null) return null;
  return createMailer({
    host,
    port: config['mail.port'],
    security: config['mail.security'],
    user: config['mail.user'],
    password: config['mail.password'],
    from,
    authorities: file === null ? null : await readFile(file, 'utf8'),
  });
}
