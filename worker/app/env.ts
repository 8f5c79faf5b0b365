import { z } from 'zod';
import { LIVE_HUBS, PUSH_SERVICES } from '#schema/constants/messages.ts';
import { addressSchema } from '#schema/contracts/shared.ts';
import { isPublicKey } from '#schema/rules/text/base58.ts';
import { readWitnesses } from '../modules/log/witness-key.ts';
import type { KeptAlarm, OutageReports } from '../ports/outages.ts';
import type { LiveEvents } from '../ports/live.ts';
import type { ChannelOutbox } from '../ports/outbox.ts';
import type { Timer } from '../ports/timer.ts';

/** `EXPLORER_TX_URL` has it in place of a transaction's signature. */
export const SIGNATURE_PLACE = '{signature}';

export interface Bindings {
  readonly ASSETS: Fetcher;
  readonly DB: D1Database;
  readonly PRICES: KVNamespace;
  readonly BACKUPS: R2Bucket;
  readonly PAGE_VIEWS: AnalyticsEngineDataset;
  readonly METRICS: AnalyticsEngineDataset;
  readonly VERSION: WorkerVersionMetadata;
  /** These limits count per Cloudflare location and minute (`RATE_LIMITS` in schema/constants/app.ts). */
  readonly LIMIT_ADDRESS: RateLimit;
  readonly LIMIT_VISITOR: RateLimit;
  readonly LIMIT_CHEAP: RateLimit;
  readonly LIMIT_READS: RateLimit;
  readonly LIMIT_WRITES: RateLimit;
  readonly LIMIT_COSTLY: RateLimit;
  readonly SENDER: DurableObjectNamespace<ChannelOutbox & Rpc.DurableObjectBranded>;
  readonly REBROADCASTER: DurableObjectNamespace<Timer & Rpc.DurableObjectBranded>;
  /** Raises alarms if the cron stops or users can't do something, and runs the cron's jobs. Its instance is `CRON_WATCH_NAME`. */
  readonly CRON_WATCH: DurableObjectNamespace<CronRuns & Rpc.DurableObjectBranded>;
  /** Hold the WebSocket connections of open pages. The instances are `LIVE_HUB_NAMES`. */
  readonly LIVE: DurableObjectNamespace<LiveEvents & Rpc.DurableObjectBranded>;
}

export const LIVE_HUB_NAMES: readonly string[] = Array.from(
  { length: LIVE_HUBS },
  (_, hub) => `viewers-${hub}`,
);

export function liveHubOf(userId: string): string {
  let hash = 0x811c9dc5;
  for (const character of userId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return LIVE_HUB_NAMES[(hash >>> 0) % LIVE_HUBS] ?? '';
}

export interface CronRuns extends OutageReports {
  cronRan(): Promise<void>;
  lastRun(): Promise<number | null>;
  keepAlarm(alarm: KeptAlarm): Promise<void>;
  /** Newest first. */
  listAlarms(): Promise<readonly KeptAlarm[]>;
  runJob(due: {
    readonly job: string;
    readonly since: number;
  }): Promise<{ readonly hasWorked: boolean; readonly hasMore: boolean; readonly error: string | null }>;
}

export const REBROADCASTER_NAME = 'payments';
export const JOIN_TIMER_NAME = 'join-requests';

export const CRON_WATCH_NAME = 'every-minute';

/** The limit of QuickNode's trial plan. */
const DEFAULT_SIGNATURES_PER_REQUEST = '5';
/** The limit of the method `getSignatureStatuses`. */
const MAX_SIGNATURES_PER_REQUEST = 256;
const JUPITER_FREE_PER_SECOND = 1;
const JUPITER_KEYLESS_PER_SECOND = 0.5;
/** Six requests per minute. With fewer, no call could be opened. */
const JUPITER_LEAST_PER_SECOND = 0.1;
const KEY_BYTES = 32;
const P256_OID = '\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07';
/** A Worker has six connections, and all witnesses are requested at once. */
const MAX_WITNESSES = 6;
/** True for a text that passes the test, false also if the test throws. */
const passes = (test: (text: string) => boolean) => (text: string) => {
  try {
    return test(text);
  } catch {
    return false;
  }
};
const hasWitnesses = passes((text) => readWitnesses(text).length <= MAX_WITNESSES);
/** Looks for the curve's identifier in the prefix. Tools write the same prefix except for its length. */
const isP256Key = passes((text) => atob(text).startsWith('0') && atob(text).includes(P256_OID));
const keySchema = z.string().refine(
  passes((text) => atob(text).length === KEY_BYTES),
  'This is not 32 bytes in base64.',
);

const baseUrlSchema = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ''));

const isLoopback = (url: string) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');

const eachVarSchema = z.object({
  /** http is for the local environment only, because cookies of an http origin aren't Secure. */
  APP_ORIGIN: baseUrlSchema.refine(
    (url) => url.startsWith('https:') || isLoopback(url),
    'This must be https, unless the host is localhost, 127.0.0.1 or [::1].',
  ),
  X_AUTHORIZE_URL: baseUrlSchema,
  X_API_URL: baseUrlSchema,
  X_AVATARS_URL: baseUrlSchema,
  X_CLIENT_ID: z.string().min(1),
  X_CLIENT_SECRET: z.string().min(1),
  X_TOKENS_KEY: keySchema,
  /** Hashes X ids, by which a deleted account opens again (`createXIdHash`), and signs our tokens (`createSignedTokens`). Must not change. */
  X_IDS_KEY: keySchema,
  /** The seed of the Ed25519 key that signs the public log. */
  LOG_PRIVATE_KEY: keySchema,
  /** The seed of the old key, if the log's key was changed: the old key signs the change. */
  LOG_OLD_PRIVATE_KEY: keySchema.optional(),
  /** The name of the log's key. Default: the site's host. Must not change if the site moves. */
  LOG_ORIGIN: z
    .string()
    .regex(/^[^\s+]+$/, 'This is not a name without spaces and plus signs.')
    .optional(),
  LOG_ANCHOR_KEY: keySchema,
  /** The P-256 key that identifies us to push services: PKCS #8 in base64. */
  VAPID_KEY: z.string().refine(isP256Key, 'This is not a P-256 key as PKCS #8 in base64.'),
  PUSH_SERVICES: z
    .string()
    .default(PUSH_SERVICES.join())
    .transform((list) => list.split(',').map((service) => service.trim()))
    .refine((list) => list.every(isPushService), 'This is not a list of https origins.'),
  /** For the local environment only: origins on this machine that may get webhooks, separated by commas. */
  WEBHOOK_LOCAL_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').filter((origin) => origin !== ''))
    .refine((list) => list.every(isLoopback), 'This is not a list of origins on this machine.'),
  /** The witnesses that sign the log's checkpoints: `{verifier key} {url}`, separated by commas. */
  LOG_WITNESSES: z
    .string()
    .refine(hasWitnesses, `This is not a list of up to ${MAX_WITNESSES} witnesses: {verifier key} {url}, ...`)
    .default('')
    .transform(readWitnesses),
  SOLANA_RPC_URL: baseUrlSchema,
  SOLANA_FALLBACK_RPC_URL: baseUrlSchema,
  SOLANA_GENESIS_HASH: z.string().refine(isPublicKey, 'This is not a genesis hash.'),
  /** The most signatures that both RPC providers' plans accept in one `getSignatureStatuses`. */
  SOLANA_SIGNATURES_PER_REQUEST: z
    .string()
    .default(DEFAULT_SIGNATURES_PER_REQUEST)
    .transform(Number)
    .pipe(z.int().min(1).max(MAX_SIGNATURES_PER_REQUEST)),
  EXPLORER_TX_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.split(SIGNATURE_PLACE).length === 2, `This must contain ${SIGNATURE_PLACE} once.`),
  PLATFORM_WALLET: addressSchema,
  JUPITER_URL: baseUrlSchema,
  JUPITER_API_KEY: z.string().optional(),
  /** The limit of our plan at Jupiter. Default: the free plan's limit, or without an API key the keyless limit. */
  JUPITER_REQUESTS_PER_SECOND: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/, 'This is not a number of requests.')
    .transform(Number)
    .pipe(z.number().min(JUPITER_LEAST_PER_SECOND))
    .optional(),
  DEXSCREENER_URL: baseUrlSchema,
  TELEGRAM_API_URL: baseUrlSchema,
  TELEGRAM_LINK_URL: baseUrlSchema,
  TELEGRAM_BOT_USERNAME: z.string().regex(/^\w{5,32}$/, 'This is not a bot’s username.'),
  TELEGRAM_BOT_TOKEN: z.string().regex(/^\d+:[\w-]+$/, 'This is not a bot’s token.'),
  /** Alarms go to this Telegram chat and to the log. */
  OPERATOR_CHAT_ID: z
    .string()
    .regex(/^-?\d+$/, 'This is not a chat’s id.')
    .optional(),
  OPERATOR_X_IDS: z
    .string()
    .regex(/^(?:\d{1,20}(?:, ?\d{1,20})*)?$/, 'These are not numeric ids, separated by commas.')
    .default('')
    .transform((ids) => new Set(ids.match(/\d+/g))),
  /** Where to report security problems: a `mailto:` or `https:` URL for security.txt. */
  SECURITY_CONTACT: z
    .url({ protocol: /^(?:https|mailto)$/ })
    .or(z.literal(''))
    .default(''),
  OPERATORS_TOKEN: z.string().min(32, 'This has fewer than 32 characters.').optional(),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{16,256}$/, 'A secret has 16 to 256 letters, digits, underscores and hyphens.'),
});

const varsSchema = eachVarSchema
  .refine((vars) => vars.SOLANA_RPC_URL !== vars.SOLANA_FALLBACK_RPC_URL, {
    path: ['SOLANA_FALLBACK_RPC_URL'],
    message: 'This must differ from the other RPC endpoints.',
  })
  .transform((vars) => {
    const usual = vars.JUPITER_API_KEY === undefined ? JUPITER_KEYLESS_PER_SECOND : JUPITER_FREE_PER_SECOND;
    return {
      ...vars,
      JUPITER_REQUESTS_PER_SECOND: vars.JUPITER_REQUESTS_PER_SECOND ?? usual,
      rpcUrls: { primary: vars.SOLANA_RPC_URL, fallback: vars.SOLANA_FALLBACK_RPC_URL },
    };
  })
  .refine(
    ({ JUPITER_API_KEY: key, JUPITER_REQUESTS_PER_SECOND: rate }) =>
      key !== undefined || rate <= JUPITER_KEYLESS_PER_SECOND,
    {
      path: ['JUPITER_REQUESTS_PER_SECOND'],
      message: `Without JUPITER_API_KEY, this can be at most ${JUPITER_KEYLESS_PER_SECOND}.`,
    },
  );

function isPushService(origin: string): boolean {
  const url = URL.parse(origin.replace('*', 'any'));
  return url?.origin === origin.replace('*', 'any') && (url.protocol === 'https:' || isLoopback(origin));
}

export type Vars = z.infer<typeof varsSchema>;

/** @throws an error that names every missing or malformed variable */
export function parseVars(env: object): Vars {
  const parsed = varsSchema.safeParse(env);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Invalid environment variables: ${problems.join('; ')}`);
}
