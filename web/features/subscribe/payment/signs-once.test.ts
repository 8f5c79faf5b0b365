import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import { fakeStorage } from '#web/testing/fake-storage.ts';
import {
  apiError,
  connectionLost,
  failedOnChain,
  intentResponse,
  landed,
  recordProgress,
  subscription,
} from './payment-test-doubles.ts';
import { openPayment } from './open-payment.ts';
import { createPendingPayments } from './pending-payments.ts';
import type { PaymentDependencies } from './payment-types.ts';
import { payCaller } from './pay-caller.ts';

const CALLER = 'caller-1';

const refusals = [
  [422, 'payments.intent_missing'],
  [409, 'payments.intent_expired'],
  [409, 'payments.intent_paid'],
  [409, 'payments.already_sent'],
  [422, 'payments.transaction_invalid'],
  [422, 'payments.durable_nonce'],
  [409, 'payments.blockhash_expired'],
  [422, 'payments.insufficient_funds'],
  [422, 'payments.rejected_by_chain'],
  [400, 'request.invalid'],
] as const satisfies readonly (readonly [number, ErrorCode])[];
const noResponses = ['lost', 'down', 'signed out'] as const;
const openResponse = fc.constantFrom('ok', 'other terms', 'in progress', ...noResponses);
const walletResponse = fc.constantFrom('signs', 'signs', 'signs', 'declines', 'unsigned');
const sendResponse = fc.oneof(fc.constantFrom('ok', ...noResponses), fc.nat(refusals.length - 1));
const endings = ['reported failed', 'expired', 'missing'] as const;
const confirmResponse = fc.constantFrom('landed', 'failed', 'pending', ...endings, ...noResponses);
const searchResponse = fc.constantFrom('active', 'pending', 'refused', ...noResponses);
const press = fc.record({
  /** True if the page is reloaded before this attempt. */
  isReloaded: fc.boolean(),
  open: fc.array(openResponse, { minLength: 1, maxLength: 3 }),
  wallet: walletResponse,
  send: fc.array(sendResponse, { minLength: 1, maxLength: 4 }),
  confirm: fc.array(confirmResponse, { minLength: 1, maxLength: 5 }),
  search: fc.array(searchResponse, { minLength: 1, maxLength: 3 }),
  /** Ms by which the clock jumps before this attempt. */
  jump: fc.constantFrom(0, 0, 1_000, 30_000, 600_000, 12 * 3_600_000),
});

function refusal(index: number): Error {
  const [status, code] = refusals[index] ?? refusals[0];
  return apiError(status, code, 'Refused.');
}

const ERRORS = {
  lost: connectionLost,
  down: apiError(502, 'chain.unavailable', 'Down.'),
  'signed out': apiError(401, 'auth.required', 'Unauthorized.'),
  'in progress': apiError(409, 'payments.already_sent', 'In progress.'),
  'reported failed': apiError(422, 'payments.failed_on_chain', 'Failed.'),
  expired: apiError(409, 'payments.expired', 'Expired.'),
  missing: apiError(422, 'payments.intent_missing', 'Missing.'),
  refused: apiError(422, 'payments.wrong_amount', 'Wrong.'),
};

function take<T>(list: readonly T[]): () => T {
  let index = 0;
  return () => list[Math.min(index++, list.length - 1)] as T;
}

/**
 * Tracks which signature's payment may still land, using only the server's responses. A transaction can't land any more
 * if it failed or expired, or if the server refused to send it and then reports it as missing. The payment ends when a
 * search finds its period, or finds nothing after the transaction has ended.
 */
function createLiveSignature() {
  let live: string | null = null;
  let wasRefused = false;
  let hasEnded = false;
  return {
    current: () => live,
    pressed() {
      wasRefused = false;
    },
    signed(signature: string) {
      live = signature;
    },
    sent(response: 'accepted' | 'refused' | 'no answer') {
      wasRefused = response === 'refused';
    },
    responded(response: string) {
      hasEnded =
        ['failed', 'reported failed', 'expired'].includes(response) || (response === 'missing' && wasRefused);
      wasRefused = false;
    },
    searched(response: string) {
      if (response === 'active' || (response === 'pending' && hasEnded)) live = null;
    },
  };
}

it('payCaller never prompts for a second signature while an earlier payment may still land', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(press, { minLength: 1, maxLength: 8 }), async (presses) => {
      const storage = fakeStorage();
      const liveSignature = createLiveSignature();
      // Violations are collected instead of thrown, because payCaller would treat an exception as a
      // failed request.
      const violations: string[] = [];
      let now = 1_000_000;
      let signatures = 0;
      let opened: Awaited<ReturnType<PaymentDependencies['open']>> | null = null;
      for (const { isReloaded, wallet, jump, ...lists } of presses) {
        now += jump;
        const next = {
          open: take(lists.open),
          send: take(lists.send),
          confirm: take(lists.confirm),
          search: take(lists.search),
        };
        // The clock is fixed, so that no payment expires by age.
        const pendingPayments = createPendingPayments({ userId: 'user-1', storage, now: () => 0 });
        const dependencies: PaymentDependencies = {
          ...pendingPayments,
          payByWallet: null,
          open: (input) =>
            openPayment(input, {
              openIntent: async () => {
                const response = next.open();
                if (response === 'ok') return intentResponse();
                if (response === 'other terms') return intentResponse({ total: 7n });
                throw ERRORS[response];
              },
              listOwnPeriods: async () => [],
              now: () => now,
            }),
          buildPayment: async () => Uint8Array.of(1),
          signTransaction: async () => {
            const live = liveSignature.current();
            if (live !== null) violations.push(`requested a signature while ${live} may still land`);
            if (wallet === 'declines') throw Object.assign(new Error('no'), { code: 4001 });
            return Uint8Array.of(++signatures);
          },
          readSignature: async () => {
            if (wallet === 'unsigned') return null;
            liveSignature.signed(`signature-${signatures}`);
            return `signature-${signatures}`;
          },
          sendTransaction: async (transaction) => {
            if (`signature-${atob(transaction).charCodeAt(0)}` !== liveSignature.current()) {
              violations.push(`sent a transaction other than ${liveSignature.current()}`);
            }
            const response = next.send();
            const kind = typeof response === 'number' ? 'refused' : 'no answer';
            liveSignature.sent(response === 'ok' ? 'accepted' : kind);
            if (typeof response === 'number') throw refusal(response);
            if (response !== 'ok') throw ERRORS[response];
            return { result: 'x' };
          },
          confirmTransaction: async () => {
            const response = next.confirm();
            liveSignature.responded(response);
            if (response === 'landed') return landed;
            if (response === 'failed') return failedOnChain;
            if (response === 'pending') return null;
            throw ERRORS[response];
          },
          searchPayment: async () => {
            const response = next.search();
            liveSignature.searched(response);
            if (response === 'active') return subscription;
            if (response === 'pending') return null;
            throw ERRORS[response];
          },
          wait: async (ms) => void (now += ms),
          after: () => () => {},
          now: () => now,
        };

        liveSignature.pressed();
        if (isReloaded) opened = null;
        const pending = pendingPayments.find(CALLER);
        if (!pending && opened === null) {
          opened = await dependencies.open({ callerId: CALLER, payer: 'payer' }).catch(() => null);
        }
        if (!pending && opened === null) continue;
        const outcome = await payCaller(
          pending ? { kind: 'resume', pending } : { kind: 'new', callerId: CALLER, shown: opened as never },
          dependencies,
          recordProgress().controls,
        );
        if (outcome.status === 'failed' && outcome.opened !== undefined) opened = outcome.opened;
        expect(violations).toEqual([]);
        // A payment must be stored as long as it may still land, and no longer.
        const live = liveSignature.current();
        const expected = live === null ? null : expect.objectContaining({ signature: live });
        expect(pendingPayments.find(CALLER)).toEqual(expected);
        expect(outcome.status === 'failed' ? outcome.pending : null).toEqual(expected);
      }
    }),
    { numRuns: 2_000 },
  );
});
