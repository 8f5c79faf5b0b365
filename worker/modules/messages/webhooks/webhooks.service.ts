import type { CreatedWebhook, Webhook, WebhookDelivery, WebhookSamples } from '#schema/contracts/webhooks.ts';
import type { Base } from '../../../app/base.ts';
import { AppError, assertFreshSignIn } from '../../../app/errors.ts';
import type { WebhookClient } from '../../../adapters/webhook-client.ts';
import type { MessagesWriter } from '../../../ports/outbox.ts';
import { createId } from '../../../shared/ids.ts';
import type { TokenCipher } from '../../../shared/token-cipher.ts';
import { sampleBodies } from './webhook-samples.ts';
import { createWebhooksRepository } from './webhooks.repository.ts';

interface WebhooksOptions extends Pick<Base, 'db' | 'env' | 'clock'> {
  readonly client: WebhookClient;
  readonly cipher: TokenCipher;
  readonly messages: MessagesWriter;
}

export interface NewWebhook {
  readonly userId: string;
  readonly sessionId: string;
  readonly signedInAt: number;
  readonly url: string;
}

export function createWebhooksService({ db, env, client, cipher, messages, clock }: WebhooksOptions) {
  const repository = createWebhooksRepository(db);
  const listDeliveries = async (userId: string): Promise<WebhookDelivery[]> =>
    (await env.SENDER.getByName('webhook').listResults(userId)).flatMap(({ kind, at, result }) =>
      result === 'unwanted' ? [] : [{ kind, at: new Date(at).toISOString(), result }],
    );

  return {
    async read(userId: string): Promise<Webhook> {
      const [webhook, deliveries] = await Promise.all([repository.find(userId), listDeliveries(userId)]);
      return { url: webhook?.url ?? null, deliveries };
    },

    /**
     * Replaces the webhook and its secret, which only the response has.
     * @throws auth.fresh_sign_in_needed, webhooks.address_refused, account.deletion_requested
     */
    async save({ userId, sessionId: sessionHash, signedInAt, url }: NewWebhook): Promise<CreatedWebhook> {
      const now = clock.now();
      assertFreshSignIn({ signedInAt, now, action: 'set a webhook' });
      if (!client.isAllowed(url)) throw new AppError({ code: 'webhooks.address_refused' });
      const secret = client.createSecret();
      const secretCiphertext = await cipher.encrypt(secret, userId);
      const isSaved = await repository.save({ userId, url, secretCiphertext, createdAt: now, sessionHash });
      if (!isSaved) throw new AppError({ code: 'account.deletion_requested' });
      await messages.writeSoon();
      return { url, secret, deliveries: await listDeliveries(userId) };
    },

    /** Sends a sample of each kind at once. @throws webhooks.not_found */
    async sendSamples(userId: string): Promise<WebhookSamples> {
      const webhook = await repository.find(userId);
      const secret = webhook && (await cipher.decrypt(webhook.secretCiphertext, userId));
      if (!secret) throw new AppError({ code: 'webhooks.not_found' });
      let status: number | null = null;
      let sent = 0;
      for (const body of sampleBodies(clock.now())) {
        const post = { id: `sample:${createId()}`, url: webhook.url, secret, body: JSON.stringify(body) };
        status = await client.post(post).catch(() => null);
        sent += 1;
        if (status === null || status < 200 || status > 299) break;
      }
      return { status, sent };
    },
  };
}
