import { z } from 'zod';
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
  logoURI: z.url({ protocol: /^https?$/ }).max(500).nullish(),
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
}
