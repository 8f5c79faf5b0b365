import { z } from 'zod';
import { THESIS_MAX_LENGTH } from '#schema/constants.ts';
import type { UnrankedReason } from '#schema/rules/ranking.ts';
import type { CallerSummary } from './callers.ts';
import type { ShownPrice } from './prices.ts';
import { addressSchema, idSchema } from './shared.ts';

export const createCallSchema = z.object({
  tokenSymbol: z.string().trim().min(1).max(32),
  tokenName: z.string().trim().min(1).max(80),
  tokenMint: addressSchema,
  /** What the caller saw; the server fetches its own and refuses when they are over 3% apart. */
  entryPrice: z.string().min(1).max(60),
  callerId: idSchema,
  logoURI: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .nullish(),
  /** Why; fixed with the call, like what follows. */
  thesis: z
    .string()
    .trim()
    .max(THESIS_MAX_LENGTH, `A thesis has at most ${THESIS_MAX_LENGTH} characters.`)
    .nullish(),
  /** Decimal strings in USD: a target is above the entry price, a stop below it. */
  targetPrice: z.string().min(1).max(60).nullish(),
  stopPrice: z.string().min(1).max(60).nullish(),
  /** Whether the caller is paid for making this call. */
  isPaidPromotion: z.boolean().optional(),
});
export type CreateCallBody = z.infer<typeof createCallSchema>;

/** A token call. Prices are decimal strings in USD; times ISO 8601. `endPrice` and `endTimestamp` are absent while active. */
export interface TokenCall {
  readonly id: string;
  readonly callerId: string;
  readonly caller: CallerSummary;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  readonly tokenMint: string;
  readonly logoURI: string | null;
  readonly entryPrice: string;
  readonly callTimestamp: string;
  readonly isActive: boolean;
  readonly endPrice?: string;
  readonly endTimestamp?: string;
  /** The last price the cron knew, for who may see the active call: shown until a fresh one arrives. */
  readonly lastPrice?: ShownPrice | undefined;
  /** (end - entry) / entry × 100; absent while active. */
  readonly changePercent?: number;
  readonly thesis: string | null;
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
  readonly isPaidPromotion: boolean;
  /** Why the call does not count for what callers are ranked by; null when it does. */
  readonly unrankedReason: UnrankedReason | null;
  /** The highest price the cron saw since the entry, at the latest the end's; absent before the first look. */
  readonly peak?: { readonly price: string; readonly at: string } | undefined;
}

export type { UnrankedReason };

/** What a caller told their followers about a call. */
export interface CallUpdate {
  readonly id: string;
  readonly message: string;
  /** ISO 8601. */
  readonly at: string;
}

/** What one source said when a call was opened or ended. */
export interface CallQuote {
  readonly side: 'open' | 'end';
  readonly source: string;
  /** Decimal string in USD; null when the source had none, and then `failure` says why. */
  readonly price: string | null;
  readonly failure: 'unavailable' | 'absent' | 'invalid' | null;
  /** Whether the call's price is this one. */
  readonly isRecorded: boolean;
  /** ISO 8601: as of when the source saw that price. */
  readonly quotedAt: string;
  /** The slot in which the source saw it, where it says. */
  readonly blockId: number | null;
  readonly liquidityUsd: number | null;
}

/** `GET /api/token-calls/{id}`: all there is to a call; active ones for who is entitled, ended ones for everyone. Both lists oldest first. */
export interface CallDetail extends TokenCall {
  readonly updates: readonly CallUpdate[];
  readonly quotes: readonly CallQuote[];
}

/** `GET /api/token-calls/{id}/chart`: closes from the entry to the end or now, oldest first; entry, end and peak are the call's own. */
export interface CallChart {
  readonly points: readonly { readonly at: string; readonly price: string }[];
}
