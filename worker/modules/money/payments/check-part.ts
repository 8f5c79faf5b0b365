import { z } from 'zod';
import type { Base } from '../../../app/base.ts';
import type { Earned, LedgerChecksRepository, LedgerProblem } from './ledger-checks.repository.ts';
import type { PaymentDependencies } from './record-payment.ts';

export interface LedgerCheckOptions extends PaymentDependencies, Pick<Base, 'leases' | 'alarm'> {
  readonly checks: LedgerChecksRepository;
  readonly signaturesPerRequest: number;
}

export interface CheckContext {
  readonly since: number;
  readonly until: number;
  /** Payments recorded until then are added to the months. The next check's `since` is this time. */
  readonly countUntil: number;
  /** Call it at least every ten seconds. */
  readonly extendLease: () => Promise<void>;
}

export interface CheckStep {
  readonly problems: readonly LedgerProblem[];
  /** To add to the months. */
  readonly earned?: readonly Earned[];
  /** The part's position for the next step, as JSON; `null` if the part is done. */
  readonly next: unknown;
  /** The number of chain requests and row pages that the step used. Each run has a limit, `COST_PER_RUN`. */
  readonly cost: number;
}

/** One step of a part of the check; `after` is the part's position, `null` at its beginning. */
export type CheckPart = (context: CheckContext, after: unknown) => Promise<CheckStep>;

export const timeAndIdSchema = z.object({ at: z.number(), id: z.string() }).nullable();
