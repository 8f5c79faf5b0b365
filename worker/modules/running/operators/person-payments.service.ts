import { CHAIN_VIEWS } from '#schema/constants/running.ts';
import type { PersonPayments, SignatureView } from '#schema/contracts/operators.ts';
import { isPeriodActiveAt } from '#schema/rules/access/subscription.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { isSignature } from '#schema/rules/text/base58.ts';
import type { Base } from '../../../app/base.ts';
import { createTooManyRequestsError } from '../../../app/errors.ts';
import { createPersonPaymentsRepository } from './person-payments.repository.ts';

/** At most this many transactions of a reference are read. Real payments have one. */
const MAX_SIGNATURES = 5;

export type PersonPaymentsOptions = Pick<Base, 'db' | 'chain' | 'attempts' | 'clock'>;

const timeOf = (at: number) => new Date(at).toISOString();

/** Answers "I paid but can't see calls": what a person has paid and got, and what the chain says. */
export function createPersonPaymentsService({ db, chain, attempts, clock }: PersonPaymentsOptions) {
  const personPayments = createPersonPaymentsRepository(db);
  return {
    async listPaymentsOf(personId: string): Promise<PersonPayments> {
      const { intents, payments, periods } = await personPayments.find(personId);
      const now = clock.now();
      return {
        intents: intents.map(({ lamports, createdAt, expiresAt, paid, signed, ...row }) => ({
          ...row,
          sol: formatSol(lamports),
          openedAt: timeOf(createdAt),
          expiresAt: timeOf(expiresAt),
          signature: paid ?? signed,
          isPaid: paid !== null,
        })),
        payments: payments.map(({ lamports, paidAt, ...row }) => {
          return { ...row, sol: formatSol(lamports), paidAt: timeOf(paidAt) };
        }),
        periods: periods.map(({ startsAt, endsAt, ...row }) => ({
          ...row,
          startDate: timeOf(startsAt),
          endDate: endsAt === null ? null : timeOf(endsAt),
          isRunning: isPeriodActiveAt({ startsAt, endsAt }, now),
        })),
      };
    },

    /** @throws request.too_many, chain.unavailable, chain.wrong_cluster */
    async viewChain(operatorXId: string, search: string): Promise<SignatureView[]> {
      const action = 'operators.chain';
      const waitMs = await attempts.take({ action, person: operatorXId, limit: CHAIN_VIEWS });
      if (waitMs > 0) throw createTooManyRequestsError();
      const signatures = isSignature(search)
        ? [search]
        : (await chain.signaturesFor(search)).slice(0, MAX_SIGNATURES);
      return Promise.all(
        signatures.map(async (signature) => ({
          signature,
          endpoints: (await chain.signatureViews(signature)).map(({ endpoint, state }) => ({
            endpoint,
            status: state?.status ?? null,
            ...(state === null || state.status === 'unknown'
              ? { slot: null, error: null }
              : { slot: state.slot, error: state.error === null ? null : JSON.stringify(state.error) }),
          })),
        })),
      );
    },
  };
}
