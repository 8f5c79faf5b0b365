import { z } from 'zod';

const MAX_WEBHOOK_URL_LENGTH = 1_000;

export const webhookSchema = z.strictObject({
  url: z.url('Start it with https://.').max(MAX_WEBHOOK_URL_LENGTH),
});

/** A delivery, without its body. */
export interface WebhookDelivery {
  /** Such as `call_opened` or `renewal`. */
  readonly kind: string;
  /** ISO 8601: the time of the result, or of the next attempt. */
  readonly at: string;
  /** `unreachable`: the address responded 410. `unsent`: every attempt of a day failed. */
  readonly result: 'delivered' | 'unreachable' | 'unsent' | 'waiting';
}

export interface Webhook {
  /** Null if the user has no webhook. */
  readonly url: string | null;
  /** The latest deliveries, newest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

export interface CreatedWebhook extends Webhook {
  /** The key of the signatures. Only this response has it. */
  readonly secret: string;
}

/** Samples end at the first one that isn't accepted. */
export interface WebhookSamples {
  /** The status of the last response; null without a response. */
  readonly status: number | null;
  /** The number of sent samples. */
  readonly sent: number;
}

interface WebhookPerson {
  readonly handle: string;
  readonly name: string;
}

/**
 * The body of a webhook. The header `webhook-id` alone identifies it: drop repeated ids and nothing else. `data.version`
 * orders the fields of the same `data.id`: of several bodies, the highest version has the newest state. Amounts are in SOL and
 * prices in USD, as decimal strings. Times are ISO 8601.
 */
export type WebhookBody = CallEventBody | PaymentReceivedBody | SubscriptionEndedBody;

export interface CallEventBody extends WebhookHead {
  readonly type: 'call.opened' | 'call.updated' | 'call.ended' | 'call.level_hit';
  readonly data: {
    readonly id: string;
    readonly version: number;
    readonly caller: WebhookPerson & { readonly id: string };
    readonly tokenMint: string;
    readonly tokenSymbol: string;
    readonly tokenName: string;
    readonly entryPrice: string;
    readonly targetPrice: string | null;
    readonly stopPrice: string | null;
    readonly thesis: string | null;
    readonly isPaidPromotion: boolean;
    readonly openedAt: string;
    readonly endPrice: string | null;
    readonly endedAt: string | null;
    readonly changePercent: number | null;
    readonly message: string | null;
    readonly level: 'target' | 'stop' | null;
    readonly levelPrice: string | null;
  };
}

export interface PaymentReceivedBody extends WebhookHead {
  readonly type: 'payment.received';
  readonly data: {
    readonly id: string;
    readonly version: number;
    readonly amount: string;
    /** Null unless the subscriber is a public caller. */
    readonly subscriber: WebhookPerson | null;
    readonly paidUntil: string;
  };
}

export interface SubscriptionEndedBody extends WebhookHead {
  readonly type: 'subscription.ended';
  readonly data: { readonly id: string; readonly version: number; readonly callerId: string };
}

interface WebhookHead {
  readonly timestamp: string;
  /** True for a sample that the owner of the webhook asked for. Nothing has happened. */
  readonly isSample?: true;
}
