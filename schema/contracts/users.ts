import { z } from 'zod';
import { BIO_MAX_LENGTH } from '#schema/constants.ts';
import { trimUnseen } from '#schema/rules/visible-text.ts';
import { addressSchema } from './shared.ts';

/** The signed-in user's own account: `GET /api/auth/user`. */
export interface CurrentUser {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly twitterHandle: string;
  readonly profileImageUrl: string | null;
  readonly bio: string | null;
  readonly isVerified: boolean;
  readonly isCaller: boolean;
  /** The proven wallet a caller is paid to. */
  readonly walletAddress: string | null;
  /** Decimal string in SOL; null is Free (or no caller). */
  readonly monthlyFee: string | null;
  readonly telegramHandle: string | null;
  readonly telegramConnected: boolean;
  /** Whether they have allowed us to post on X for them. */
  readonly canPostOnX: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An empty price is Free. */
export const becomeCallerSchema = z.object({ subscriptionPrice: z.string().max(40) });
export type BecomeCallerBody = z.infer<typeof becomeCallerSchema>;

/** What is left out stays as it is. `monthlyFee` null is Free. */
export const callerProfileSchema = z
  .object({
    monthlyFee: z.string().max(40).nullable().optional(),
    walletAddress: addressSchema.optional(),
  })
  .refine(
    ({ monthlyFee, walletAddress }) => monthlyFee !== undefined || walletAddress !== undefined,
    'Say what to change: monthlyFee or walletAddress.',
  );
export type CallerProfileBody = z.infer<typeof callerProfileSchema>;

export const profileSchema = z.object({
  bio: z
    .string()
    .overwrite(trimUnseen)
    .refine((bio) => [...bio].length <= BIO_MAX_LENGTH, `A bio has at most ${BIO_MAX_LENGTH} characters.`),
});
export type ProfileBody = z.infer<typeof profileSchema>;
