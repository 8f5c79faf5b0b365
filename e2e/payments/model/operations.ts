import { query } from '#worker/test-support/database/database.ts';
import { insertRows } from '#worker/test-support/database/insert-rows.ts';
import type { ConfirmTransactionResponse, OpenIntentResponse } from '#schema/contracts/payments.ts';
import type { ErrorBody } from '#schema/contracts/errors.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { land, send } from '#worker/test-support/payments/payments.ts';
import { control } from '#worker/test-support/test-app.ts';
import { rpc } from '#worker/test-support/payments/chain.ts';
import { CALLERS, FEES, PAYOUTS, type CallerName, type Name } from './fixtures.ts';
import { unwatched } from '../support/awaits.ts';
import { readChain } from './chain-view.ts';
import { JOBS, type History } from './history.ts';
import { refund } from './refunds.ts';
import { must } from './row-invariants.ts';
import { signTransaction, type Intent, type RefundShape, type Shape, type Signed } from './transactions.ts';

/**
 * An action of a person, the chain, the cron or the clock. Numbers count back from the newest intent or
 * transaction (0 is the newest).
 */
export type Operation =
  | { readonly kind: 'open'; readonly person: Name; readonly caller: CallerName }
  | {
      readonly kind: 'sign';
      readonly intent: number;
      readonly other: number;
      readonly payer: number;
      readonly second: number;
      readonly shape: Shape;
    }
  | { readonly kind: 'send'; readonly transaction: number; readonly person: Name | 'owner' }
  | { readonly kind: 'land'; readonly transaction: number }
  | { readonly kind: 'confirm'; readonly transaction: number }
  | {
      readonly kind: 'claim';
      readonly transaction: number;
      readonly person: Name | 'owner';
      readonly amounts: 'right' | 'wrong';
    }
  | {
      readonly kind: 'pay';
      readonly person: Name;
      readonly caller: CallerName;
      readonly payer: number;
      readonly shape: Shape;
      readonly until: Stage;
    }
  | { readonly kind: 'follow'; readonly person: Name; readonly caller: CallerName }
  | { readonly kind: 'fee'; readonly caller: CallerName; readonly fee: number }
  | { readonly kind: 'payout'; readonly caller: CallerName; readonly wallet: 0 | 1 }
  | { readonly kind: 'refund'; readonly payment: number; readonly shape: RefundShape }
  | { readonly kind: 'expire' }
  | { readonly kind: 'fork'; readonly transaction: number }
  | { readonly kind: 'cron' }
  | { readonly kind: 'rebroadcast' }
  | { readonly kind: 'act'; readonly caller: CallerName }
  | { readonly kind: 'advance'; readonly milliseconds: number };

export const STAGES = ['signed', 'landed', 'sent', 'confirmed', 'claimed'] as const;
export type Stage = (typeof STAGES)[number];

export type Reply = { readonly ok: true } | { readonly ok: false; readonly code: string };

const INTENT_MS = 10 * 60_000;

const OK: Reply = { ok: true };
/** The reply if an operation needs an intent or a transaction, and there is none. */
const NOTHING: Reply = { ok: false, code: 'nothing' };

async function read<Value>(pending: Promise<Response>): Promise<{ reply: Reply; body: Value }> {
  const response = await pending;
  const body = await response.json<Value | ErrorBody>();
  if (response.status === 200 || response.status === 201) return { reply: OK, body: body as Value };
  const { code } = (body as ErrorBody).error;
  must(
    response.status < 500 || code === 'chain.unavailable',
    `the response has status ${response.status}: ${code}`,
  );
  return { reply: { ok: false, code }, body: body as Value };
}

export const nth = <Item>(items: readonly Item[], fromNewest: number): Item | undefined =>
  items.at(-1 - (fromNewest % Math.max(1, items.length)));
export const present = <Item extends { isLost: boolean }>(items: readonly Item[]) =>
  items.filter(({ isLost }) => !isLost);

/**
 * Performs an operation and updates the model.
 * @throws Violation for a response that no state allows
 */
export async function perform(history: History, operation: Operation): Promise<Reply> {
  const { app, people } = history;
  switch (operation.kind) {
    case 'open':
      return (await open(history, operation)).reply;
    case 'sign': {
      const intent = nth(present(history.intents), operation.intent);
      if (!intent) return NOTHING;
      await sign(history, {
        ...operation,
        intent,
        other: nth(
          history.intents.filter((each) => each !== intent),
          operation.other,
        ),
      });
      return OK;
    }
    case 'send':
      return withTransaction(history, operation, (transaction, person) =>
        sendTo(history, { transaction, person }),
      );
    case 'land':
      return withTransaction(history, operation, sendByWallet);
    case 'confirm':
      return withTransaction(history, operation, (transaction, person) =>
        confirm(history, { transaction, person }),
      );
    case 'claim':
      return withTransaction(history, operation, (transaction, person) =>
        claim(history, { ...operation, transaction, person }),
      );
    case 'pay':
      return pay(history, operation);
    case 'follow':
      return (
        await read(people[operation.person].post('/api/subscriptions/free', { callerId: operation.caller }))
      ).reply;
    case 'fee':
      return (
        await read(
          people[operation.caller].patch('/api/user/caller-profile', {
            monthlyFee: FEES[operation.fee] ?? null,
          }),
        )
      ).reply;
    case 'payout':
      return (
        await read(
          people[operation.caller].patch('/api/user/caller-profile', {
            walletAddress: PAYOUTS[operation.caller][operation.wallet].publicKey.toBase58(),
          }),
        )
      ).reply;
    case 'refund':
      return refund(history, operation);
    case 'expire':
      await history.expireBlockhashes();
      return OK;
    case 'fork':
      return fork(history, operation.transaction);
    case 'cron':
      await app.runJobs(...JOBS);
      return OK;
    case 'rebroadcast':
      await app.services.rebroadcast.run();
      return OK;
    case 'act':
      await act(operation.caller, app.clock.now());
      return OK;
    case 'advance':
      await app.advance(operation.milliseconds);
      return OK;
  }
}

/** Opens a call. Uses SQL, because the rule of silence only depends on its time. */
async function act(caller: CallerName, now: number): Promise<void> {
  const id = crypto.randomUUID();
  await insertRows('calls', [{ id, caller_id: caller, called_at: now }]);
  await query(
    "INSERT INTO call_events (id, kind, call_id, caller_id, at, queued_at) VALUES (?1, 'call_opened', ?1, ?2, ?3, ?3)",
    id,
    caller,
    now,
  );
}

async function withTransaction(
  history: History,
  { transaction, person = 'owner' }: { transaction: number; person?: Name | 'owner' },
  act: (transaction: Signed, person: Name) => Promise<Reply>,
): Promise<Reply> {
  const picked = nth(present(history.transactions), transaction);
  if (!picked) return NOTHING;
  return act(picked, person === 'owner' ? (picked.names[0]?.owner ?? 'ada') : person);
}

async function open(
  { people, intents, now }: History,
  { person, caller }: { person: Name; caller: CallerName },
): Promise<{ reply: Reply; intent?: Intent }> {
  const requestedAt = now();
  const { reply, body } = await read<OpenIntentResponse>(
    people[person].post('/api/solana/get-latest-blockhash', { callerId: caller }),
  );
  if (!reply.ok) return { reply };
  const { id, reference, callerAddress, callerLamports, platformLamports, expiresAt } = body.intent;
  const known = intents.find((intent) => intent.reference === reference);
  must(
    known === undefined || (known.owner === person && known.caller === caller),
    `${person} received the intent of ${known?.owner}`,
  );
  must(
    Date.parse(expiresAt) > requestedAt && Date.parse(expiresAt) <= now() + INTENT_MS,
    `an intent opened at ${now()} ends at ${Date.parse(expiresAt)}`,
  );
  must(
    BigInt(platformLamports) === (BigInt(callerLamports) + BigInt(platformLamports)) / 10n,
    `the platform gets ${platformLamports} and the caller ${callerLamports} lamports, which is not 10 and 90 percent`,
  );
  if (known) {
    known.isLost = false;
    // A reused intent counts as the newest one.
    intents.push(...intents.splice(intents.indexOf(known), 1));
    return { reply, intent: known };
  }
  const intent = {
    id,
    reference,
    owner: person,
    caller,
    callerAddress,
    callerLamports: BigInt(callerLamports),
    platformLamports: BigInt(platformLamports),
    seenAt: now(),
    expiresAt: Date.parse(expiresAt),
    isLost: false,
  };
  intents.push(intent);
  return { reply, intent };
}

async function sign(
  { transactions }: History,
  {
    intent,
    other,
    payer,
    second,
    shape,
  }: { intent: Intent; other: Intent | undefined; payer: number; second: number; shape: Shape },
): Promise<Signed> {
  const { value: latest } = await unwatched('sign', () =>
    rpc<{ value: { blockhash: string; lastValidBlockHeight: number } }>('getLatestBlockhash', {
      commitment: 'confirmed',
    }),
  );
  const signed = signTransaction({
    number: transactions.length + 1,
    shape,
    intent,
    other,
    payer,
    second,
    latest,
  });
  const known = transactions.find(({ signature }) => signature === signed.signature);
  if (known) return known;
  transactions.push(signed);
  return signed;
}

/** Sends directly to the chain, like a wallet that signs and sends. A failing transaction lands and pays its fee. */
async function sendByWallet(transaction: Signed): Promise<Reply> {
  transaction.isSentByWallet = true;
  await unwatched('land', () => land(transaction.bytes, { skipPreflight: true }));
  return OK;
}

async function sendTo(
  { people, now }: History,
  { transaction, person }: { transaction: Signed; person: Name },
): Promise<Reply> {
  const before = transaction.sent;
  const isInTime = transaction.names.some(({ expiresAt }) => now() < expiresAt);
  if (before !== 'accepted' && isInTime) transaction.sent = 'unknown';
  transaction.wasReportedExpired = false;
  // Unknown until the step ends. A killed request may have sent the transaction at any time, and the clock may
  // jump meanwhile.
  transaction.sentAt = Number.POSITIVE_INFINITY;
  const { reply, body } = await read<{ message?: string }>(send(people[person], transaction.bytes));
  if (reply.ok) {
    const [intent, ...others] = transaction.names;
    must(
      transaction.pays.length > 0 && others.length === 0,
      `${transaction.name} was sent for ${person} but is no payment`,
    );
    must(
      intent?.owner === person,
      `${transaction.name} was sent for ${person} but pays for ${intent?.owner}`,
    );
  }
  // The message contains this warning only if the signature was stored before the chain failed.
  const hasNoResponse = !reply.ok && body.message?.includes('may be on its way') === true;
  if (reply.ok || hasNoResponse) transaction.sent = 'accepted';
  else if (transaction.sent === 'unknown') transaction.sent = before === 'never' ? 'rejected' : before;
  return reply;
}

async function confirm(
  { people }: History,
  { transaction, person }: { transaction: Signed; person: Name },
): Promise<Reply> {
  const { reply, body } = await read<ConfirmTransactionResponse>(
    people[person].post('/api/solana/confirm-transaction', { signature: transaction.signature }),
  );
  if (reply.ok) {
    must(
      transaction.names.some(({ owner }) => owner === person),
      `${person} confirmed ${transaction.name}, which belongs to somebody else`,
    );
  }
  if (reply.ok) must(body.result.value.length === 1, 'a confirmation without a status');
  // This report doesn't count if a concurrent request sends the transaction again.
  if (!reply.ok && reply.code === 'payments.expired') {
    transaction.wasReportedExpired = Number.isFinite(transaction.sentAt);
  }
  return reply;
}

async function claim(
  { people }: History,
  { transaction, person, amounts }: { transaction: Signed; person: Name; amounts: 'right' | 'wrong' },
): Promise<Reply> {
  const intent = transaction.names.find(({ owner }) => owner === person) ?? transaction.names[0];
  const sol = (lamports: bigint) =>
    `${lamports / 1_000_000_000n}.${String(lamports % 1_000_000_000n).padStart(9, '0')}`;
  const platform = intent?.platformLamports ?? 1n;
  const total = platform + (intent?.callerLamports ?? 9n);
  const body = {
    callerId: intent?.caller ?? CALLERS[0],
    monthlyFee: sol(total),
    platformFee: sol(platform),
    totalAmount: sol(amounts === 'right' ? total : total - 1n),
    transactionId: transaction.signature,
  };
  const { reply, body: subscription } = await read<Subscription>(
    people[person].post('/api/subscriptions', body),
  );
  if (!reply.ok) return reply;
  must(amounts === 'right', `${person} claimed ${transaction.name} with wrong amounts`);
  must(
    transaction.pays.some(({ owner, caller }) => owner === person && caller === subscription.callerId),
    `${person} received a period for ${transaction.name}, which does not pay for them`,
  );
  must(
    subscription.subscriberId === person && subscription.payment?.transactionId === transaction.signature,
    `${person} claimed ${transaction.name} but received another subscription`,
  );
  return reply;
}

/** Runs the steps that the page takes after the user presses Pay, up to the step `until`. */
async function pay(
  history: History,
  {
    person,
    caller,
    payer,
    shape,
    until,
  }: { person: Name; caller: CallerName; payer: number; shape: Shape; until: Stage },
): Promise<Reply> {
  const { reply, intent } = await open(history, { person, caller });
  if (!intent) return reply;
  const transaction = await sign(history, { intent, other: undefined, payer, second: payer + 1, shape });
  if (until === 'signed') return OK;
  if (until === 'landed') return sendByWallet(transaction);
  const sent = await sendTo(history, { transaction, person });
  if (!sent.ok || until === 'sent') return sent;
  const confirmed = await confirm(history, { transaction, person });
  if (!confirmed.ok || until === 'confirmed') return confirmed;
  return claim(history, { transaction, person, amounts: 'right' });
}

/** Simulates a fork that removes a transaction which is not finalized. */
async function fork(history: History, fromNewest: number): Promise<Reply> {
  return unwatched('fork', async () => {
    const chain = await readChain(history);
    const transaction = nth(
      history.transactions.filter((each) => !['finalized', undefined].includes(chain.landed(each)?.status)),
      fromNewest,
    );
    if (!transaction) return NOTHING;
    await control('POST', '/solana/forget', { signature: transaction.signature });
    return OK;
  });
}
