import { MIN_APPLICATION_FEE_SOL } from '#schema/constants/money.ts';
import {
  readApplicationFee,
  readMonthlyFee,
  describeFeeProblem,
  type FeeProblem,
} from '#schema/rules/money/fee-input.ts';
import { callerKeys } from '#schema/rules/people/look-alike-callers.ts';
import { callerSearchText } from '#schema/rules/text/search.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { assertMayChangePayout } from '../../money/wallets/payout-change.ts';
import { createUsersRepository } from './users.repository.ts';
import type { TermsService } from '../terms/terms.service.ts';
import type { PaymentsService } from '../../money/payments/payments.service.ts';

export interface Application {
  readonly userId: string;
  readonly subscriptionPrice: string;
}

export interface CallerProfileChange {
  readonly userId: string;
  readonly signedInAt: number;
  /** Decimal text in SOL; `null` means Free. */
  readonly monthlyFee?: string | null | undefined;
  readonly sellsWeek?: boolean | undefined;
  readonly walletAddress?: string | undefined;
}

export interface CallerTermsDependencies extends Pick<Base, 'db' | 'clock'> {
  readonly payments: PaymentsService;
  readonly terms: TermsService;
}

export function createCallerTerms({ db, payments, terms, clock }: CallerTermsDependencies) {
  const repository = createUsersRepository(db);
  const assertProven = async (userId: string, address: string) => {
    const proven = await repository.findProvenWallet(userId, address);
    if (proven === null) throw new AppError({ code: 'users.payout_wallet_unproven' });
  };

  const apply = async (application: Application): Promise<void> => {
    const { userId, subscriptionPrice } = application;
    const feeLamports = readApplicationFee(subscriptionPrice);
    if (typeof feeLamports === 'string') throw createFeeError(feeLamports, 'application');
    const found = await repository.findUser(userId);
    if (!found || found.user.deletedAt !== null) throw new AppError({ code: 'users.not_found' });
    if (found.caller) throw new AppError({ code: 'users.already_caller' });
    await terms.assertAccepted(userId);
    const payoutAddress = await repository.findProvenWallet(userId);
    await payments.assertFeeCanLand({ feeLamports, payoutAddress, sellsWeek: true });
    const { firstName, lastName, twitterHandle: handle } = found.user;
    const named = { firstName, lastName, handle };
    const now = clock.now();
    const caller = {
      callerId: userId,
      feeLamports,
      payoutAddress,
      sellsWeek: true,
      searchText: callerSearchText(named),
      ...callerKeys(named),
    };
    const times = { handleSince: now, nameSince: now, createdAt: now, updatedAt: now };
    const isCaller = await repository.insertCaller({ ...caller, ...times }, found.user);
    // Another request has changed the name or the caller in the meantime.
    if (!isCaller) await apply(application);
  };

  return {
    apply,

    /** Requires a recent sign-in to change the payout wallet. */
    async change(profile: CallerProfileChange): Promise<void> {
      const { userId, signedInAt, monthlyFee, sellsWeek, walletAddress } = profile;
      const fee = monthlyFee === undefined ? undefined : readMonthlyFee(monthlyFee);
      if (typeof fee === 'string') throw createFeeError(fee, 'dashboard');
      const found = await repository.findUser(userId);
      if (!found) throw new AppError({ code: 'users.not_found' });
      const { caller } = found;
      if (!caller) throw new AppError({ code: 'users.not_a_caller' });
      const payout =
        walletAddress === undefined ? undefined : { from: caller.payoutAddress, to: walletAddress };
      if (payout) {
        await assertProven(userId, payout.to);
        const hadOne = payout.from === null && (await repository.hadPayout(userId));
        assertMayChangePayout({ ...payout, hadOne, signedInAt, now: clock.now() });
      }
      await payments.assertFeeCanLand({
        feeLamports: fee ?? caller.feeLamports,
        sellsWeek: sellsWeek ?? caller.sellsWeek,
        payoutAddress: walletAddress ?? caller.payoutAddress,
      });
      const change = { callerId: userId, feeLamports: fee, sellsWeek, payout, now: clock.now() };
      if (await repository.updateTerms(change)) return;
      if (!payout) throw new AppError({ code: 'users.not_a_caller' });
      await assertProven(userId, payout.to);
      throw new AppError({ code: 'wallets.payout_changed' });
    },
  };
}

const BELOW_MINIMUM = {
  application: `Enter a fee of at least ${MIN_APPLICATION_FEE_SOL} SOL a month.`,
  dashboard: 'Monthly fee must be greater than 0 SOL',
} as const;

function createFeeError(problem: FeeProblem, form: keyof typeof BELOW_MINIMUM): AppError {
  return new AppError({
    code: problem === 'below_minimum' ? 'users.fee_below_minimum' : 'users.fee_invalid',
    message: describeFeeProblem(problem, BELOW_MINIMUM[form]),
  });
}
