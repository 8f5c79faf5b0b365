import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  MAX_LANDING_MS,
  CHAIN_CLOCK_SKEW_MS,
  INTENT_LIFETIME_MS,
  MAX_FEE_LAMPORTS,
} from '#schema/constants/money.ts';
import { splitFee } from './lamports.ts';
import {
  matchLanded,
  matchTransfers,
  type IntentTerms,
  type LandedTransaction,
  type PaymentTransaction,
  type Transfer,
} from './payment.ts';

const RECIPIENTS = ['caller', 'platform'];
const STRANGERS = ['tip', 'vault', 'pool'];
const NETWORK_FEE = 5_000n;
const RUNS = { numRuns: 500 };

interface Payment {
  readonly terms: IntentTerms;
  readonly legs: readonly Transfer[];
  readonly otherTransfers: readonly Transfer[];
  readonly cosigners: readonly string[];
  readonly feePayer: string;
  readonly blockTime: number;
}

/** Splits an amount into transfers of these sizes, while they fit, and a transfer of the rest. */
function transfersTo(destination: string, amount: bigint, sizes: readonly bigint[]): Transfer[] {
  const parts: bigint[] = [];
  let rest = amount;
  for (const size of sizes) {
    if (size >= rest) break;
    parts.push(size);
    rest -= size;
  }
  if (rest > 0n) parts.push(rest);
  return parts.map((lamports) => ({ source: 'payer', destination, lamports }));
}

const anyAmount = fc.oneof(fc.bigInt({ min: 1n, max: 30n }), fc.bigInt({ min: 1n, max: MAX_FEE_LAMPORTS }));
const anySizes = fc.array(anyAmount, { maxLength: 2 });

const anyOtherTransfer = fc
  .record({
    source: fc.constantFrom('payer', ...STRANGERS, ...RECIPIENTS),
    destination: fc.constantFrom('payer', ...STRANGERS, ...RECIPIENTS),
    lamports: anyAmount,
  })
  .filter(({ source, destination }) =>
    RECIPIENTS.includes(source)
      ? source === destination
      : source !== 'payer' || !RECIPIENTS.includes(destination),
  );

const anyPayment: fc.Arbitrary<Payment> = fc
  .record({
    total: anyAmount,
    createdAt: fc.nat({ max: 2_000_000_000_000 }),
    sizes: fc.tuple(anySizes, anySizes),
    otherTransfers: fc.array(anyOtherTransfer, { maxLength: 5 }),
    cosigners: fc.subarray(['relayer', 'caller', 'platform']),
    feePayer: fc.constantFrom('payer', 'relayer', 'caller', 'platform'),
    timestamp: fc.integer({
      min: -CHAIN_CLOCK_SKEW_MS,
      max: INTENT_LIFETIME_MS + MAX_LANDING_MS + CHAIN_CLOCK_SKEW_MS,
    }),
  })
  .map(({ total, createdAt, sizes, otherTransfers, cosigners, feePayer, timestamp }) => {
    const { callerLamports, platformLamports } = splitFee(total);
    return {
      terms: {
        reference: 'reference',
        callerAddress: 'caller',
        platformAddress: 'platform',
        callerLamports,
        platformLamports,
        createdAt,
        expiresAt: createdAt + INTENT_LIFETIME_MS,
      },
      legs: [
        ...transfersTo('caller', callerLamports, sizes[0]),
        ...transfersTo('platform', platformLamports, sizes[1]),
      ],
      otherTransfers,
      cosigners: [...new Set([...cosigners, feePayer])].filter((signer) => signer !== 'payer'),
      feePayer,
      blockTime: createdAt + timestamp,
    };
  });

interface Landing {
  readonly terms: IntentTerms;
  readonly landed: LandedTransaction;
}

/** Generates a landed transaction that pays, with transfers and signers in any order. */
function anyLandingOf(payment: Payment): fc.Arbitrary<Landing> {
  const { terms, legs, otherTransfers, cosigners, feePayer, blockTime } = payment;
  const transfers = [...legs, ...otherTransfers];
  const signers = ['payer', ...cosigners];
  const balanceChanges = new Map([[feePayer, -NETWORK_FEE]]);
  const move = (address: string, lamports: bigint) =>
    balanceChanges.set(address, (balanceChanges.get(address) ?? 0n) + lamports);
  for (const { source, destination, lamports } of transfers) {
    move(source, -lamports);
    move(destination, lamports);
  }
  return fc
    .record({
      transfers: fc.shuffledSubarray(transfers, { minLength: transfers.length }),
      signers: fc.shuffledSubarray(signers, { minLength: signers.length }),
      accounts: fc.shuffledSubarray(
        ['payer', 'relayer', ...STRANGERS, ...RECIPIENTS, 'reference', 'program'],
        { minLength: 9 },
      ),
    })
    .map((order) => {
      const effects = { hasFailed: false, blockTime, balanceChanges, feePayer, feeLamports: NETWORK_FEE };
      return { terms, landed: { ...order, ...effects } };
    });
}

const anyLanding = anyPayment.chain(anyLandingOf);

/**
 * Generates a payment with one changed transfer. It pays at least ten lamports, because a smaller payment has
 * only one transfer.
 */
function anyPaymentWithChangedLeg(change: (leg: Transfer) => Transfer): fc.Arbitrary<Landing> {
  return fc
    .tuple(
      anyPayment.filter(({ terms }) => terms.platformLamports > 0n),
      fc.nat(),
    )
    .map(([payment, which]) => ({
      ...payment,
      legs: payment.legs.map((leg, index) => (index === which % payment.legs.length ? change(leg) : leg)),
    }))
    .chain(anyLandingOf);
}

function expectRejected({ terms, landed }: Landing): void {
  expect(matchTransfers(landed, terms)).toHaveProperty('mismatch');
  expect(matchLanded(landed, terms)).toEqual(matchTransfers(landed, terms));
}

it('a payment among random other instructions is accepted', () => {
  fc.assert(
    fc.property(anyLanding, ({ terms, landed }) => {
      expect(matchTransfers(landed, terms)).toEqual({ payer: 'payer' });
      expect(matchLanded(landed, terms)).toEqual({ payer: 'payer' });
    }),
    RUNS,
  );
});

it.each([
  ['a lamport more in one transfer', (leg: Transfer) => ({ ...leg, lamports: leg.lamports + 1n })],
  ['a lamport less in one transfer', (leg: Transfer) => ({ ...leg, lamports: leg.lamports - 1n })],
  ['one transfer from another wallet', (leg: Transfer) => ({ ...leg, source: 'vault' })],
  ['one transfer from another wallet that also signs', (leg: Transfer) => ({ ...leg, source: 'relayer' })],
  ['one transfer to a third wallet', (leg: Transfer) => ({ ...leg, destination: 'vault' })],
  [
    'one transfer to the other recipient',
    (leg: Transfer) => ({ ...leg, destination: leg.destination === 'caller' ? 'platform' : 'caller' }),
  ],
])('a payment among random other instructions is rejected with %s', (_name, change) => {
  fc.assert(fc.property(anyPaymentWithChangedLeg(change), expectRejected), RUNS);
});

it.each<[string, string, (landed: LandedTransaction, terms: IntentTerms) => Partial<LandedTransaction>]>([
  [
    'without the reference',
    'missing_reference',
    ({ accounts }) => ({ accounts: accounts.filter((account) => account !== 'reference') }),
  ],
  [
    'if the payer did not sign',
    'payer_did_not_sign',
    ({ signers }) => ({ signers: signers.filter((signer) => signer !== 'payer') }),
  ],
  ['if the transaction failed', 'failed_on_chain', () => ({ hasFailed: true })],
  ['with an unknown block time', 'outside_time_window', () => ({ blockTime: null })],
  [
    'a millisecond before the intent’s time',
    'outside_time_window',
    (_landed, { createdAt }) => ({ blockTime: createdAt - CHAIN_CLOCK_SKEW_MS - 1 }),
  ],
  [
    'a millisecond after the intent’s time',
    'outside_time_window',
    (_landed, { expiresAt }) => ({
      blockTime: expiresAt + MAX_LANDING_MS + CHAIN_CLOCK_SKEW_MS + 1,
    }),
  ],
])('a payment among random other instructions is rejected %s: %s', (_name, mismatch, change) => {
  fc.assert(
    fc.property(anyLanding, ({ terms, landed }) => {
      expect(matchLanded({ ...landed, ...change(landed, terms) }, terms)).toEqual({ mismatch });
    }),
    RUNS,
  );
});

it('a payment among random other instructions is rejected if a recipient transfers lamports to another wallet', () => {
  const anyBack = fc
    .record({
      source: fc.constantFrom(...RECIPIENTS),
      destination: fc.constantFrom('payer', ...STRANGERS, ...RECIPIENTS),
      lamports: anyAmount,
    })
    .filter(({ source, destination }) => source !== destination);
  const anyReturned = fc
    .tuple(anyPayment, anyBack)
    .chain(([payment, back]) =>
      anyLandingOf({ ...payment, otherTransfers: [...payment.otherTransfers, back] }),
    );
  fc.assert(
    fc.property(anyReturned, ({ terms, landed }) => {
      expect(matchLanded(landed, terms)).toEqual({ mismatch: 'money_flowed_back' });
    }),
    RUNS,
  );
});

it('a payment among random other instructions is rejected if a recipient’s balance ends one lamport short', () => {
  fc.assert(
    fc.property(
      anyLanding,
      fc.constantFrom('caller', 'platform'),
      fc.constantFrom(0n, -1n),
      ({ terms, landed }, recipient, missing) => {
        const due = recipient === 'caller' ? terms.callerLamports : terms.platformLamports;
        const fee = landed.feePayer === recipient ? landed.feeLamports : 0n;
        const drained = {
          ...landed,
          balanceChanges: new Map([...landed.balanceChanges, [recipient, due - fee + missing]]),
        };
        expect(matchLanded(drained, terms)).toEqual(
          missing === 0n ? { payer: 'payer' } : { mismatch: 'money_flowed_back' },
        );
      },
    ),
    RUNS,
  );
});

const terms = {
  reference: 'reference',
  callerAddress: 'caller',
  platformAddress: 'platform',
  callerLamports: 2n,
};
const anyone = fc.constantFrom('one', 'two', ...RECIPIENTS);
const anyLeg = fc
  .constantFrom('one', 'two')
  .chain((source) =>
    fc.constantFrom(
      { source, destination: 'caller', lamports: 2n },
      { source, destination: 'platform', lamports: 1n },
    ),
  );
const anyTransfer = fc.oneof(
  anyLeg,
  fc.record({ source: anyone, destination: anyone, lamports: fc.bigInt({ min: 0n, max: 3n }) }),
);
const anyTransaction: fc.Arbitrary<PaymentTransaction> = fc.record({
  accounts: fc.subarray(['reference', 'one', 'two'], { minLength: 2 }),
  signers: fc.shuffledSubarray(['one', 'two', ...RECIPIENTS], { minLength: 1 }),
  transfers: fc.array(anyTransfer, { maxLength: 5 }),
});

it('a random transaction is accepted only if a signer who is no recipient sent both amounts', () => {
  let paid = 0;
  fc.assert(
    fc.property(anyTransaction, fc.constantFrom(0n, 1n), (transaction, platformLamports) => {
      const { accounts, signers, transfers } = transaction;
      const sum = (source: string, destination: string) =>
        transfers
          .filter((one) => one.source === source && one.destination === destination)
          .reduce((lamports, one) => lamports + one.lamports, 0n);
      const isSentOn = transfers.some(
        ({ source, destination }) => RECIPIENTS.includes(source) && source !== destination,
      );
      const [payer] = signers.filter(
        (signer) =>
          !RECIPIENTS.includes(signer) &&
          sum(signer, 'caller') === 2n &&
          sum(signer, 'platform') === platformLamports,
      );
      const expected = accounts.includes('reference') && !isSentOn ? payer : undefined;
      const verdict = matchTransfers(transaction, { ...terms, platformLamports });
      expect('payer' in verdict ? verdict.payer : undefined).toBe(expected);
      if (expected !== undefined) paid += 1;
    }),
    { numRuns: 10_000 },
  );
  expect(paid).toBeGreaterThan(100);
});
