import { messageBugs } from '#test/messages/planted-bugs.ts';

/** A realistic bug: one small change of the product. */
export interface PlantedBug {
  /** The model that must detect it. */
  readonly model: 'payments' | 'messages';
  readonly name: string;
  readonly file: string;
  /** Code that occurs exactly once in the file. Its formatting doesn't matter. */
  readonly place: string;
  readonly replacement: string;
}

/** By file and name: the code, and what replaces it. */
type Bugs = typeof messageBugs;

const paymentBugs: Bugs = {
  'worker/modules/money/payments/reconcile.service.ts': {
    // A period counts as final although a fork can still take its payment away.
    'settles confirmed payments': [
      "state?.status === 'finalized' && state.error === null ?",
      "state !== undefined && state.status !== 'unknown' && state.error === null ?",
    ],
    // A lagging node removes periods that were paid.
    'revokes without proof of absence': [
      'const absent = await chain.absentAtFinalized(unknown.map(({ signature, slot }) => ({ signature, upTo: { slot } })));',
      'const absent = new Set(unknown.map(({ signature }) => signature));',
    ],
    // A user with an expired transaction can never pay that caller again.
    'never marks an expired transaction dead': [
      'await broadcasts.markDead([...failed.map(({ signature }) => signature), ...absent], clock.now());',
      'await broadcasts.markDead(failed.map(({ signature }) => signature), clock.now());',
    ],
  },
  'worker/modules/money/payments/payments.service.ts': {
    // Anybody who knows a signature gets the payer's subscription in the response.
    "accepts another user's claim": [
      "if (existing && existing.userId !== userId) throw new AppError({ code: 'payments.not_yours' });",
      '',
    ],
    // The page waits for a payment that has landed, and then offers to pay again.
    'takes an unreadable payment for absent': [
      "code: isReleased ? 'payments.released' : 'payments.unreadable'",
      "code: 'payments.pending'",
    ],
    // The page may claim a payment with an amount that was not paid.
    'ignores posted amounts': ["if (!isSame) throw new AppError({ code: 'payments.amount_mismatch' });", ''],
    // Any transaction that names an intent is sent, and buys nothing.
    'relays any transaction': [
      "const verdict = matchTransfers(signed, intent); if ('mismatch' in verdict) throw new AppError({ code: `payments.${verdict.mismatch}` });",
      '',
    ],
  },
  'worker/adapters/solana-rpc.ts': {
    // A payment that only the other endpoint can read is refused.
    'asks one endpoint for a new version': [
      "(endpoint) => readAt(endpoint, signature), (reading) => typeof reading !== 'string'",
      "(endpoint) => readAt(endpoint, signature), (reading) => reading !== 'absent'",
    ],
  },
  'worker/modules/money/payments/paid-periods.repository.ts': {
    // Everybody gets a month, whatever they paid for.
    'grants a month for each payment': ['(SELECT days FROM payment_intents WHERE id = ${intentId})', '30'],
    // One payment claimed twice gives two periods, or a crash.
    'grants one payment twice': ['AND NOT ${isGrantedInLedger(sql`payments.id`)})`', ')`'],
    // A subscriber who renews early loses the remaining time.
    'renews from now': [
      'MAX(${now}, COALESCE((SELECT MAX(ends_at) FROM periods WHERE ${isPairs}), 0)) AS start',
      '${now} AS start',
    ],
    // After a fork removed a payment, later periods start too late.
    'moves periods in the ledger only': ['AND (s.starts_at <> ${start} OR ${mustRest})', 'AND 0'],
    // A caller sees money that they never received.
    'keeps revoked earnings': [
      'earned_lamports = earned_lamports - (SELECT caller_lamports FROM payments WHERE id = ${paymentId})',
      'earned_lamports = earned_lamports',
    ],
    // A subscriber whose payment was refunded keeps the access that the ledger has ended.
    'keeps the access after a refund': [
      '.where(and(isPeriod, isRefunded))',
      '.where(and(isPeriod, isRefunded, sql`0`))',
    ],
    // A caller who pays back in two halves still owes the whole share.
    'adds no transfers up': ['SELECT COALESCE(SUM(lamports), 0)', 'SELECT COALESCE(MAX(lamports), 0)'],
    // A caller throws a subscriber out at the subscriber's own cost.
    'ends a period for the share alone': [
      'iif(r.asked_at IS NULL, p.total_lamports, p.caller_lamports)',
      'p.caller_lamports',
    ],
    // A payment that lands after the caller became Free is rejected by the database, or overlaps the grant.
    'keeps the start of a free grant': [
      '.where(and(isPair, isNull(subscriptions.endsAt), isGranted))',
      '.where(and(isPair, isNull(subscriptions.endsAt), isGranted, sql`0`))',
    ],
    // A subscriber who renews in a silence loses the days that it has added.
    'renews from the end without silent days': [
      'COALESCE((SELECT MAX(ends_at) FROM periods WHERE ${isPairs}), 0)) AS start',
      'COALESCE((SELECT MAX(written_end) FROM periods WHERE ${isPairs}), 0)) AS start',
    ],
    // A period bought in a silence starts late, by the days before its payment.
    'counts silent days before a renewal twice': [
      'SELECT MAX(${now}, moves_from) FROM periods',
      'SELECT moves_from FROM periods',
    ],
  },
  'schema/rules/money/lengths.ts': {
    // Somebody pays 90 days ahead to a caller who may have stopped.
    'sells 90 days without a steady record': ['(days !== QUARTER_DAYS || isSteady) &&', ''],
    // A fee that doesn't divide by 30 sells the days for a lamport less.
    'rounds a price down': ['BigInt(days) + month - 1n) / month', 'BigInt(days)) / month'],
    // 90 days cost as much as 30.
    'sells each length for the monthly fee': [
      'splitFee((feeLamports * BigInt(days) + month - 1n) / month)',
      'splitFee(feeLamports)',
    ],
  },
  'schema/rules/money/payment.ts': {
    // An old intent can be paid at an old price forever.
    'never ends an intent': ['&& blockTime <= terms.expiresAt + MAX_LANDING_MS + CHAIN_CLOCK_SKEW_MS', ''],
    // The ledger records one lamport more than the caller received.
    'accepts one lamport less': [
      'toCaller.get(source) === terms.callerLamports',
      '(toCaller.get(source) ?? 0n) >= terms.callerLamports - 1n',
    ],
    // The payer in the ledger paid only a part.
    'accepts two payers': [
      '(toPlatform.get(source) ?? 0n) === terms.platformLamports',
      '[...toPlatform.values()].includes(terms.platformLamports)',
    ],
  },
  'worker/modules/money/payments/refunds.service.ts': {
    // A second transfer of the same page or of another one is on no list.
    'records one transfer only': [
      'else found.push(...transfers);',
      'else if (found.length === 0) found.push(...transfers);',
    ],
    // One transaction pays for a subscription and also refunds another payment.
    'takes a payment for a refund': ['if ((await intents.find(transaction)).length > 0) return [];', ''],
  },
  'worker/modules/money/payments/broadcasts.repository.ts': {
    // A user who presses Pay twice pays twice.
    'sends two payments at once': ['AND ${isNothingPending(intent, signature)}', ''],
  },
  'worker/modules/money/payments/pending-broadcasts.repository.ts': {
    // Somebody whose wallet has sent an unreadable payment is asked to pay again.
    'offers another payment beside an unreadable one': [
      'AND b.dead_at IS NULL AND b.landed_at',
      'AND b.dead_at IS NULL AND b.tries > 0 AND b.landed_at',
    ],
  },
  'worker/modules/money/payments/read-landed.ts': {
    // The operator does not learn about money that bought nothing.
    'forgets orphans': ['if (orphan) orphans.push(orphan);', 'if (orphan) orphans.length = 0;'],
  },
  'worker/modules/money/subscriptions/subscriptions.repository.ts': {
    // As soon as one person has paid, everybody sees the paid calls.
    'shows paid calls to anybody': [
      'WHERE subscriber_id = ${viewerId} AND caller_id = c.caller_id AND',
      'WHERE caller_id = c.caller_id AND',
    ],
    // Somebody who follows while the caller starts to charge keeps a free grant.
    'follows a Paid caller for free': ['eq(callers.feeLamports, 0n),', ''],
    // A free grant overlaps paid time, so the grace period after Free ends before the paid time does.
    'starts a free grant at once': [
      'MAX(${now}, COALESCE((SELECT MAX(ends_at) FROM periods WHERE ${isOfPair(periods, { subscriberId, callerId })}), 0)), NULL,',
      '${now}, NULL,',
    ],
  },
  'worker/adapters/solana-signatures.ts': {
    // A second payment is signed while the first can still land.
    'marks a transaction dead too early': [
      ': blockHeight > upTo.blockHeight;',
      ': blockHeight > upTo.blockHeight - 1_000;',
    ],
  },
  'worker/modules/money/payments/ledger.repository.ts': {
    // A payment that a fork removed and a later block brought back never gets its period.
    'never grants again after a fork': [
      '.where(and(inArray(payments.signature, valuesOf(signatures)), isGranted))',
      '.where(inArray(payments.signature, valuesOf(signatures)))',
    ],
  },
  'worker/modules/money/payments/intents.repository.ts': {
    // After the fee has changed, a user can still pay the old fee.
    'reuses an intent with an old price': ['eq(paymentIntents.feeLamports, intent.feeLamports),', ''],
    // A user who chose 90 days pays for 30.
    'reuses an intent of another length': ['eq(paymentIntents.days, intent.days),', ''],
  },
  'worker/modules/money/payments/platform-walk.service.ts': {
    // A payment that the wallet sent by itself is never found.
    'moves on without storing the page': [
      'entries.length > 0 ? [unread.insertStatement(',
      'entries.length < 0 ? [unread.insertStatement(',
    ],
    // A payment without a memo that can't be read is lost.
    'drops unreadable transactions': [
      'const again = [...unreadable, ...[...others]',
      'const again = [...[...others]',
    ],
  },
  'worker/modules/money/subscriptions/silent-days.repository.ts': {
    // Subscriptions are extended although the caller was active.
    'calls a caller silent at once': [
      'WHERE since <= ${midnight - SILENT_AFTER_MS}',
      'WHERE since <= ${midnight}',
    ],
  },
};

const list = (model: PlantedBug['model'], bugs: Bugs): PlantedBug[] =>
  Object.entries(bugs).flatMap(([file, all]) =>
    Object.entries(all).map(([name, [place, replacement]]) => ({ model, name, file, place, replacement })),
  );

/** The models must detect each bug (`npm run bugs`). */
export const plantedBugs: readonly PlantedBug[] = [
  ...list('payments', paymentBugs),
  ...list('messages', messageBugs),
];
