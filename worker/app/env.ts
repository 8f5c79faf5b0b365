import { z } from 'zod';
import { addressSchema } from '#schema/contracts/shared.ts';
import { isPublicKey } from '#schema/rules/base58.ts';
import type { Outbox } from '../ports/outbox.ts';
import type { RebroadcastTimer } from '../ports/rebroadcast-timer.ts';
import { SIGNATURE_PLACE } from '../shared/explorer-url.ts';

export interface Bindings {
  readonly ASSETS: Fetcher;
  readonly DB: D1Database;
  readonly PRICES: KVNamespace;
  readonly PAGE_VIEWS: AnalyticsEngineDataset;
  /** These limits count per Cloudflare location and minute (`RATE_LIMITS` in schema/constants.ts). */
  readonly LIMIT_VISITOR: RateLimit;
  readonly LIMIT_IMAGES: RateLimit;
  readonly LIMIT_READS: RateLimit;
  readonly LIMIT_WRITES: RateLimit;
  readonly LIMIT_COSTLY: RateLimit;
  /** The sender's Durable Object. It has one instance, `SENDER_NAME`. */
  readonly SENDER: DurableObjectNamespace<Outbox & Rpc.DurableObjectBranded>;
  /** The rebroadcaster's Durable Object. It has one instance, `REBROADCASTER_NAME`. */
  readonly REBROADCASTER: DurableObjectNamespace<RebroadcastTimer & Rpc.DurableObjectBranded>;
}

/** All messages go through one sender, because Telegram's rate limit applies to the whole bot. */
export const SENDER_NAME = 'telegram';

export const REBROADCASTER_NAME = 'payments';

const AES_KEY_BYTES = 32;
const baseUrlSchema = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ''));

const isLoopback = (url: string) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');

const eachVarSchema = z.object({
  /** http is for the local world only, because cookies of an http origin aren't Secure. */
  APP_ORIGIN: baseUrlSchema.refine(
    (url) => url.startsWith('https:') || isLoopback(url),
    'This must be https, unless the host is localhost, 127.0.0.1 or [::1].',
  ),
  X_AUTHORIZE_URL: baseUrlSchema,
  X_API_URL: baseUrlSchema,
  /** X's host for profile pictures. Pictures are fetched only from here. */
  X_PICTURES_URL: baseUrlSchema,
  X_CLIENT_ID: z.string().min(1),
  X_CLIENT_SECRET: z.string().min(1),
  X_TOKENS_KEY: z.string().refine(isAesKey, 'This is not 32 bytes in base64.'),
  SOLANA_RPC_URL: baseUrlSchema,
  /** A second RPC endpoint on the same cluster, from another provider. */
  SOLANA_FALLBACK_RPC_URL: baseUrlSchema,
  /** The genesis hash, which identifies the cluster of both endpoints. */
  SOLANA_GENESIS_HASH: z.string().refine(isPublicKey, 'This is not a genesis hash.'),
  EXPLORER_TX_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.split(SIGNATURE_PLACE).length === 2, `This must contain ${SIGNATURE_PLACE} once.`),
  PLATFORM_WALLET: addressSchema,
  JUPITER_URL: baseUrlSchema,
  JUPITER_API_KEY: z.string().optional(),
  DEXSCREENER_URL: baseUrlSchema,
  TELEGRAM_API_URL: baseUrlSchema,
  /** The base URL that opens a bot's chat in a browser, such as https://t.me. */
  TELEGRAM_LINK_URL: baseUrlSchema,
  TELEGRAM_BOT_USERNAME: z.string().regex(/^\w{5,32}$/, 'This is not a bot’s username.'),
  TELEGRAM_BOT_TOKEN: z.string().regex(/^\d+:[\w-]+$/, 'This is not a bot’s token.'),
  /** Alarms go to this Telegram chat and to the log. */
  OPERATOR_CHAT_ID: z
    .string()
    .regex(/^-?\d+$/, 'This is not a chat’s id.')
    .optional(),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{16,256}$/, 'A secret has 16 to 256 letters, digits, underscores and hyphens.'),
});

/** The fallback must be another endpoint, because it is used when the first one fails. */
const varsSchema = eachVarSchema.refine((vars) => vars.SOLANA_FALLBACK_RPC_URL !== vars.SOLANA_RPC_URL, {
  path: ['SOLANA_FALLBACK_RPC_URL'],
  message: 'This must differ from SOLANA_RPC_URL.',
});

function isAesKey(text: string): boolean {
  try {
    return atob(text).length === AES_KEY_BYTES;
  } catch {
    return false;
  }
}

export type Vars = z.infer<typeof varsSchema>;

/** @throws an error that names every missing or malformed variable */
export function parseVars(env: object): Vars {
  const parsed = varsSchema.safeParse(env);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Invalid environment variables: ${problems.join('; ')}`);
}
