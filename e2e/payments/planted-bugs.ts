/** A realistic bug: one small change of the product. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  /** Code that occurs exactly once in the file. Its formatting doesn't matter. */
  readonly place: string;
  readonly replacement: string;
  readonly effect: string;
}

const reconcile = 'worker/modules/money/payments/reconcile.service.ts';
const service = 'worker/modules/money/payments/payments.service.ts';
const ledger = 'worker/modules/money/payments/ledger-statements.ts';
const subscriptions = 'worker/modules/money/subscriptions/subscriptions.repository.ts';
const rule = 'schema/rules/money/payment.ts';

/** The model must detect each bug (`npm run payments:bugs`). */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'settles confirmed payments',
    file: reconcile,
    place: "state?.status === 'finalized' && state.error === null ?",
    replacement: "state !== undefined && state.status !== 'unknown' && state.error === null ?",
    effect: 'A period counts as final although a fork can still take its payment away.',
  },
  {
    name: 'revokes without proof of absence',
    file: reconcile,
    place:
      'const absent = await chain.absentAtFinalized(unknown.map(({ signature, slot }) => ({ signature, upTo: { slot } })));',
    replacement: 'const absent = new Set(unknown.map(({ signature }) => signature));',
    effect: 'A lagging node removes periods that were paid.',
  },
  {
    name: "accepts another user's claim",
    file: service,
    place: "if (existing && existing.userId !== userId) throw new AppError({ code: 'payments.not_yours' });",
    replacement: '',
    effect: 'Anybody who knows a signature gets the subscription of the payer as an answer.',
  },
  {
    name: 'grants one payment twice',
    file: ledger,
    place: 'AND NOT ${isGrantedInLedger(sql`payments.id`)})`',
    replacement: ')`',
    effect: 'One payment claimed twice gives two periods, or a crash.',
  },
  {
    name: 'renews from now',
    file: ledger,
    place: 'MAX(${now}, COALESCE((SELECT MAX(ends_at) FROM periods WHERE ${isPairs}), 0)) AS start',
    replacement: '${now} AS start',
    effect: 'A subscriber who renews early loses the remaining time.',
  },
  {
    name: 'never ends an intent',
    file: rule,
    place: '&& blockTime <= terms.expiresAt + BLOCKHASH_LIFETIME_MS + CHAIN_CLOCK_SKEW_MS',
    replacement: '',
    effect: 'An old intent can be paid at an old price forever.',
  },
  {
    name: 'accepts one lamport less',
    file: rule,
    place: 'toCaller.get(source) === terms.callerLamports',
    replacement: '(toCaller.get(source) ?? 0n) >= terms.callerLamports - 1n',
    effect: 'The ledger records one lamport more than the caller received.',
  },
  {
    name: 'accepts two payers',
    file: rule,
    place: '(toPlatform.get(source) ?? 0n) === terms.platformLamports',
    replacement: '[...toPlatform.values()].includes(terms.platformLamports)',
    effect: 'The payer in the ledger paid only a part.',
  },
  {
    name: 'moves periods in the ledger only',
    file: ledger,
    place: 'AND (s.starts_at <> ${start} OR ${mustRest})',
    replacement: 'AND 0',
    effect: 'After a fork removed a payment, later periods start too late.',
  },
  {
    name: 'keeps revoked earnings',
    file: ledger,
    place:
      'earned_lamports = earned_lamports - (SELECT caller_lamports FROM payments WHERE id = ${paymentId}),',
    replacement: '',
    effect: 'A caller sees money that they never received.',
  },
  {
    name: 'takes a payment for a refund',
    file: 'worker/modules/money/payments/refunds.service.ts',
    place: 'if ((await intents.findByReferences(transaction.accounts)).length > 0) return [];',
    replacement: '',
    effect: 'One transaction pays for a subscription and refunds another one.',
  },
  {
    name: 'keeps the access after a refund',
    file: ledger,
    place: '.where(and(isPeriod, isRefunded))',
    replacement: '.where(and(isPeriod, isRefunded, sql`0`))',
    effect: 'A subscriber whose payment was refunded keeps the access that the ledger has ended.',
  },
  {
    name: 'sends two payments at once',
    file: 'worker/modules/money/payments/broadcasts.repository.ts',
    place: 'AND ${isNothingPending(intent, signature)}',
    replacement: '',
    effect: 'A user who presses Pay twice pays twice.',
  },
  {
    name: 'forgets orphans',
    file: 'worker/modules/money/payments/read-landed.ts',
    place: 'if (orphan) orphans.push(orphan);',
    replacement: 'if (orphan) orphans.length = 0;',
    effect: 'The operator does not learn about money that bought nothing.',
  },
  {
    name: 'shows paid calls to anybody',
    file: subscriptions,
    place: 'WHERE subscriber_id = ${viewerId} AND caller_id = c.caller_id AND',
    replacement: 'WHERE caller_id = c.caller_id AND',
    effect: 'As soon as one person has paid, everybody sees the paid calls.',
  },
  {
    name: 'never marks an expired transaction dead',
    file: reconcile,
    place:
      'await broadcasts.markDead([...failed.map(({ signature }) => signature), ...absent], clock.now());',
    replacement: 'await broadcasts.markDead(failed.map(({ signature }) => signature), clock.now());',
    effect: 'A user with an expired transaction can never pay that caller again.',
  },
  {
    name: 'marks a transaction dead too early',
    file: 'worker/adapters/solana-signatures.ts',
    place: ': blockHeight > upTo.blockHeight;',
    replacement: ': blockHeight > upTo.blockHeight - 1_000;',
    effect: 'A second payment is signed while the first can still land.',
  },
  {
    name: 'keeps the start of a free grant',
    file: ledger,
    place: '.where(and(isPair, isNull(subscriptions.endsAt), isGranted))',
    replacement: '.where(and(isPair, isNull(subscriptions.endsAt), isGranted, sql`0`))',
    effect:
      'A payment that lands after the caller became Free is rejected by the database, or overlaps the grant.',
  },
  {
    name: 'ignores posted amounts',
    file: service,
    place: "if (!isSame) throw new AppError({ code: 'payments.amount_mismatch' });",
    replacement: '',
    effect: 'The page may claim a payment with an amount that was not paid.',
  },
  {
    name: 'never grants again after a fork',
    file: 'worker/modules/money/payments/ledger.repository.ts',
    place: '.where(and(inArray(payments.signature, valuesOf(signatures)), isGranted))',
    replacement: '.where(inArray(payments.signature, valuesOf(signatures)))',
    effect: 'A payment that a fork removed and a later block brought back never gets its period.',
  },
  {
    name: 'relays any transaction',
    file: service,
    place:
      "const verdict = matchTransfers(signed, intent); if ('mismatch' in verdict) throw new AppError({ code: `payments.${verdict.mismatch}` });",
    replacement: '',
    effect: 'Any transaction that names an intent is sent, and buys nothing.',
  },
  {
    name: 'reuses an intent with an old price',
    file: 'worker/modules/money/payments/intents.repository.ts',
    place: 'eq(paymentIntents.totalLamports, intent.totalLamports),',
    replacement: '',
    effect: 'After the fee has changed, a user can still pay the old fee.',
  },
  {
    name: 'follows a Paid caller for free',
    file: subscriptions,
    place: 'eq(callers.feeLamports, 0n),',
    replacement: '',
    effect: 'Somebody who follows while the caller starts to charge keeps a free grant.',
  },
  {
    name: 'starts a free grant at once',
    file: subscriptions,
    place:
      'MAX(${now}, COALESCE((SELECT MAX(ends_at) FROM periods WHERE ${ofPair({ subscriberId, callerId })}), 0)), NULL,',
    replacement: '${now}, NULL,',
    effect: 'A free grant overlaps paid time, so the grace period after Free ends before the paid time does.',
  },
  {
    name: 'moves on without storing the page',
    file: 'worker/modules/money/payments/platform-walk.service.ts',
    place: 'entries.length > 0 ? [unread.insertStatement(',
    replacement: 'entries.length < 0 ? [unread.insertStatement(',
    effect: 'A payment that the wallet sent by itself is never found.',
  },
  {
    name: 'renews from the end without silent days',
    file: ledger,
    place: 'COALESCE((SELECT MAX(ends_at) FROM periods WHERE ${isPairs}), 0)) AS start',
    replacement: 'COALESCE((SELECT MAX(written_end) FROM periods WHERE ${isPairs}), 0)) AS start',
    effect: 'A subscriber who renews in a silence loses the days that it has added.',
  },
  {
    name: 'counts silent days before a renewal twice',
    file: ledger,
    place: 'SELECT MAX(${now}, moves_from) FROM periods',
    replacement: 'SELECT moves_from FROM periods',
    effect: 'A period bought in a silence starts late, by the days before its payment.',
  },
  {
    name: 'calls a caller silent at once',
    file: 'worker/shared/silent-days.ts',
    place: 'WHERE since <= ${midnight - SILENT_AFTER_MS}',
    replacement: 'WHERE since <= ${midnight}',
    effect: 'Subscriptions are extended although the caller was active.',
  },
];
