import { z } from 'zod';
import { BIO_MAX_LENGTH } from '#schema/constants/people.ts';
import { TOO_LONG_MESSAGES } from '#schema/rules/text/text-limits.ts';
import { cleanLines } from '#schema/rules/text/visible-text.ts';
import type { CallerSummary } from './callers.ts';
import { addressSchema } from './shared.ts';

/** `GET /api/auth/user`: the signed-in user. */
export interface CurrentUser extends CallerSummary {
  readonly email: string | null;
  readonly bio: string | null;
  readonly isCaller: boolean;
  /** True if the user has deleted the account as a caller and come back, absent otherwise. */
  readonly wasCaller?: boolean;
  readonly walletAddress: string | null;
  /** Decimal string in SOL; null for a Free caller and for a user who isn't a caller. */
  readonly monthlyFee: string | null;
  /** False if the caller has switched off the 7 days, absent for a user who isn't a caller. */
  readonly sellsWeek?: boolean;
  readonly telegramHandle: string | null;
  readonly telegramConnected: boolean;
  /** True if the user may open and end calls in the chat with the bot, absent otherwise. */
  readonly telegramCalls?: boolean;
  readonly canPostOnX: boolean;
  /** True until the user has accepted the current terms, privacy notice and risks. */
  readonly mustAcceptTerms: boolean;
  /** True if a browser of this user gets notifications, absent otherwise. */
  readonly hasPush?: boolean;
  /** True for operators, absent for others. */
  readonly isOperator?: boolean;
  /** The account will be deleted then (ISO 8601). Absent unless the user has asked for it. */
  readonly deletesAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An empty price means Free. */
export const becomeCallerSchema = z.object({ subscriptionPrice: z.string().max(40) });
export type BecomeCallerBody = z.infer<typeof becomeCallerSchema>;

/** Missing fields stay unchanged. A null `monthlyFee` means Free. */
export const callerProfileSchema = z
  .object({
    monthlyFee: z.string().max(40).nullable().optional(),
    sellsWeek: z.boolean().optional(),
    walletAddress: addressSchema.optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'Send the new monthlyFee, sellsWeek or walletAddress.',
  );
export type CallerProfileBody = z.infer<typeof callerProfileSchema>;

export const profileSchema = z.object({
  bio: z
    .string()
    .overwrite(cleanLines)
    .refine((bio) => [...bio].length <= BIO_MAX_LENGTH, TOO_LONG_MESSAGES.bio),
});
export type ProfileBody = z.infer<typeof profileSchema>;
