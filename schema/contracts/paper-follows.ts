import { z } from 'zod';
import { MAX_CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import type { CallerSummary } from './callers.ts';

export const paperFollowSchema = z.object({
  amountUsd: z.int().min(1).max(MAX_CALCULATOR_STAKE_USD).nullable(),
});

export interface PaperFollow {
  readonly caller: CallerSummary;
  /** Whole USD for each call. Null: the user only watches the caller. */
  readonly amountUsd: number | null;
  /** Calls made since then count. ISO 8601. */
  readonly since: string;
}
