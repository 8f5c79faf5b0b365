/** A mistake that somebody could make, as a change of one place in the product. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** What it would do to people. */
  readonly why: string;
}

const reconcile = 'worker/modules/payments/reconcile.service.ts';
const service = 'worker/modules/payments/payments.service.ts';
const ledger = 'worker/modules/payments/ledger.repository.ts';
const intents = 'worker/modules/payments/intents.repository.ts';
const matching = 'schema/rules/payment.ts';

/** The model must notice each of these by itself (`npm run payments:bugs`). */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'settled at confirmed',
    file: reconcile,
    text: "state?.status === 'finalized' && state.error === null\n        ?",
    replacement: "state !== undefined && state.status !== 'unknown' && state.error === null\n        ?",
    why: 'A period is taken for certain that a fork can still take away.',
  },
  {
    name: 'revoked at first sight',
    file: reconcile,
    text: 'const absent = await chain.absentAtFinalized(nowhere);',
    replacement: 'const absent = new Set(nowhere.map(({ signature }) => signature));',
    why: 'A node that lags takes periods from people who paid.',
  },
  {
    name: 'anybody claims a payment',
    file: service,
    text: 'if (existing && existing.userId !== userId) throw createPaymentNotYoursError();',
    replacement: '',
    why: 'Somebody who has seen a signature gets an answer as if they had paid.',
  },
  {
    name: 'a period for each grant',
    file: ledger,
    text: ' AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE payment_id = payments.id))`',
    replacement: ')`',
    why: 'Claimed twice, paid once: two periods, or a crash.',
  },
  {
    name: 'renewed from now on',
    file: ledger,
    text: 'MAX(${now}, COALESCE((SELECT MAX(ends_at) FROM subscriptions WHERE ${pair}), 0)) AS start',
    replacement: '${now} AS start',
    why: 'Who pays early loses the time that is left.',
  },
  {
    name: 'an intent that never ends',
    file: matching,
    text: '    blockTime >= terms.createdAt - CHAIN_CLOCK_SKEW_MS &&\n    blockTime <= terms.expiresAt + BLOCKHASH_LIFETIME_MS + CHAIN_CLOCK_SKEW_MS;',
    replacement: '    blockTime >= terms.createdAt - CHAIN_CLOCK_SKEW_MS;',
    why: 'An old intent is an option on an old price.',
  },
  {
    name: 'one lamport less will do',
    file: matching,
    text: 'toCaller.get(source) === terms.callerLamports &&',
    replacement: '(toCaller.get(source) ?? 0n) >= terms.callerLamports - 1n &&',
    why: 'The ledger and the chain differ by a lamport, for ever.',
  },
  {
    name: 'legs of two payers',
    file: matching,
    text: '(toPlatform.get(source) ?? 0n) === terms.platformLamports;',
    replacement: '[...toPlatform.values()].includes(terms.platformLamports);',
    why: 'The payer in the ledger did not pay all of it.',
  },
  {
    name: 'moved in the ledger alone',
    file: ledger,
    text: "UPDATE subscriptions AS s SET starts_at = ${inLedger('starts_at')}, ends_at = ${inLedger('ends_at')}\n          WHERE ${ofPair('s')} AND s.payment_id IS NOT NULL AND",
    replacement:
      "UPDATE subscriptions AS s SET starts_at = ${inLedger('starts_at')}, ends_at = ${inLedger('ends_at')}\n          WHERE 0 AND ${ofPair('s')} AND s.payment_id IS NOT NULL AND",
    why: 'After a fork the next period waits for one that is gone.',
  },
  {
    name: 'earned what was revoked',
    file: ledger,
    text: 'earned_lamports = earned_lamports - (SELECT caller_lamports FROM payments WHERE id = ${paymentId}),',
    replacement: '',
    why: 'A caller is shown money that they never got.',
  },
  {
    name: 'sent beside another',
    file: intents,
    text: '            AND NOT EXISTS (${onItsWay(intent, signature)})\n',
    replacement: '',
    why: 'Two presses of the button pay twice.',
  },
  {
    name: 'orphans forgotten',
    file: reconcile,
    text: 'finalized.flatMap((each) => describeOrphan({ ...each, platformAddress, now }) ?? [])',
    replacement: '[]',
    why: 'Money that bought nothing is never looked into.',
  },
  {
    name: 'one pays, all see',
    file: 'worker/modules/subscriptions/subscriptions.repository.ts',
    text: 'WHERE subscriber_id = ${viewerId} AND caller_id = c.caller_id AND',
    replacement: 'WHERE caller_id = c.caller_id AND',
    why: 'Paid calls are shown to everybody as soon as somebody has paid.',
  },
  {
    name: 'never given up',
    file: reconcile,
    text: 'await intents.markDead([...failed.map(({ signature }) => signature), ...absent], clock.now());',
    replacement: 'await intents.markDead(failed.map(({ signature }) => signature), clock.now());',
    why: 'Whose transaction expired can never pay that caller again.',
  },
  {
    name: 'given up too early',
    file: 'worker/adapters/solana-rpc.ts',
    text: ': blockHeight > upTo.blockHeight;',
    replacement: ': blockHeight > upTo.blockHeight - 1_000;',
    why: 'A second payment is signed while the first can still land.',
  },
  {
    name: 'a free grant in the way',
    file: ledger,
    text: 'sql`UPDATE subscriptions SET starts_at = (SELECT ends_at FROM payment_ledger WHERE id = ${ids.grant}) WHERE ${pair} AND ends_at IS NULL AND ${isGranted}`,',
    replacement: '',
    why: 'A payment that lands after the caller has become Free is refused by the database, or overlaps.',
  },
  {
    name: 'amounts as posted',
    file: service,
    text: 'if (!isSame) throw createAmountMismatchError();',
    replacement: '',
    why: 'The page believes that something else was paid.',
  },
  {
    name: 'paid again, granted never',
    file: ledger,
    text: 'SELECT p.signature FROM payments p JOIN subscriptions s ON s.payment_id = p.id\n',
    replacement: 'SELECT p.signature FROM payments p\n',
    why: 'What a fork took away and a later block brought back is never granted again.',
  },
  {
    name: 'an open relay',
    file: service,
    text: "const verdict = matchTransfers(signed, intent);\n      if ('mismatch' in verdict) throw createMismatchError(verdict.mismatch);",
    replacement: '',
    why: 'Anything that names an intent is sent, and buys nothing.',
  },
  {
    name: 'an old price again',
    file: intents,
    text: '          AND o.total_lamports = ${Number(intent.totalLamports)} AND o.expires_at > ${reusableUntil}',
    replacement: '          AND o.expires_at > ${reusableUntil}',
    why: 'After the fee has changed the old one is offered.',
  },
];
