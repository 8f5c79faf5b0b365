import { z } from 'zod';

const MAX_PUSH_ENDPOINT_LENGTH = 1_000;

const base64url = (characters: number) => z.string().regex(new RegExp(`^[\\w-]{${characters}}=*$`));

/** The result of `PushSubscription.toJSON()` in a browser: an uncompressed P-256 point and 16 bytes. */
export const pushDeviceSchema = z.object({
  endpoint: z.string().max(MAX_PUSH_ENDPOINT_LENGTH),
  keys: z.object({ p256dh: base64url(87), auth: base64url(22) }),
});
export type PushDeviceBody = z.infer<typeof pushDeviceSchema>;

export interface PushSettings {
  /** The key that a browser subscribes with, in base64url. */
  readonly publicKey: string;
  /** The push address of this session's browser; null while its notifications are off. */
  readonly endpoint: string | null;
}

/** The content of a push message, as JSON. public/sw.js reads it. */
export interface PushMessage {
  readonly text: string;
  readonly url: string;
  /** A message replaces an earlier one with the same tag. */
  readonly tag: string;
}
