import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import type { ConfirmTransactionResponse, OpenIntentResponse } from '#schema/contracts/payments.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { land, send } from '#test/payments/payments.ts';
import { control } from '#test/test-app.ts';
import { rpc } from '#test/payments/chain.ts';
import { CALLERS, FEES, PAYOUTS, type CallerName, type Name } from './fixtures.ts';
import { unwatched } from '../support/awaits.ts';
import { readChain } from './chain-view.ts';
import { JOBS, type History } from './history.ts';
import { ask, refund } from './refunds.ts';
import { NOTHING, nth, OK, present, read, type Reply } from './replies.ts';
import { must } from './row-invariants.ts';
import {
  signTransaction,
  type Intent,
  type RefundShape,
  type Shape,
  type Signed,
  type Version,
} from './transactions.ts';
import { findSeen } from './unreadable.ts';
import { UNREADABLE_VERSION, type NodeVersion } from '../support/nodes.ts';
import { createId } from '#worker/shared/ids.ts';

export interface Pair {
  readonly person: Name;
  readonly caller: CallerName;
}

/** Numbers count back from the newest intent, transaction or payment (0 is the newest). */
interface Kinds {
  open: Pair & { days: PeriodDays };
  sign: { intent: number; other: number; payer: number; second: number; shape: Shape; version: Version };
  send: { transaction: number; person: Name | 'owner' };
  land: { transaction: number };
  confirm: { transaction: number };
  claim: { transaction: number; person: Name | 'owner'; amounts: 'right' | 'wrong' };
  search: { intent: number };
  pay: Pair & {
    days: PeriodDays;
    payer: number;
    shape: Shape;
    version: Version;
    until: (typeof STAGES)[number];
  };
  follow: Pair;
  fee: { caller: CallerName; fee: number };
  payout: { caller: CallerName; wallet: 0 | 1 };
  refund: { payment: number; shape: RefundShape };
  ask: { payment: number; isAsked: boolean };
  erase: { caller: CallerName };
  leave: { caller: CallerName; isLeaving: boolean };
  expire: object;
  fork: { transaction: number };
  cron: object;
  rebroadcast: object;
  act: { caller: CallerName };
  advance: { milliseconds: number };
  slots: { slotMs: number };
  nodes: { primary: NodeVersion; fallback: NodeVersion };
}

/** An action of a person, the chain, the cron or the clock. */
export type Operation = {
  [Kind in keyof Kinds]: { readonly kind: Kind } & Readonly<Kinds[Kind]>;
}[keyof Kinds];
export type OperationOf<Kind extends keyof Kinds> = Extract<Operation, { kind: Kind }>;

export const STAGES = ['signed', 'landed', 'sent', 'confirmed', 'claimed'] as const;

const INTENT_MS = 10 * 60_000;

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
      const others = history.intents.filter((each) => each !== intent);
      await sign(history, { ...operation, intent, other: nth(others, operation.other) });
      return OK;
    }
    case 'send':
    case 'land':
    case 'confirm':
    case 'claim': {
      const transaction = nth(present(history.transactions), operation.transaction);
      if (!transaction) return NOTHING;
      if (operation.kind === 'land') return sendByWallet(transaction);
      const owner = transaction.names[0]?.owner ?? 'ada';
      const isOwner = operation.kind === 'confirm' || operation.person === 'owner';
      const options = { transaction, person: isOwner ? owner : operation.person };
      if (operation.kind === 'send') return sendTo(history, options);
      if (operation.kind === 'confirm') return confirm(history, options);
      return claim(history, { ...options, amounts: operation.amounts });
    }
    case 'search': {
      const intent = nth(present(history.intents), operation.intent);
      return intent ? search(history, intent) : NOTHING;
    }
    case 'pay':
      return pay(history, operation);
    case 'follow': {
      const { person, caller } = operation;
      return (await read(people[person].post('/api/subscriptions/free', { callerId: caller }))).reply;
    }
    case 'fee':
    case 'payout': {
      const body =
        operation.kind === 'fee'
          ? { monthlyFee: FEES[operation.fee] ?? null }
          : { walletAddress: PAYOUTS[operation.caller][operation.wallet].publicKey.toBase58() };
      return (await read(people[operation.caller].patch('/api/user/caller-profile', body))).reply;
    }
    case 'refund':
      return refund(history, operation);
    case 'ask':
      return ask(history, operation);
    case 'erase':
      history.erased.add(operation.caller);
      await query('DELETE FROM wallets WHERE user_id = ?', operation.caller);
      return OK;
    case 'leave': {
      const person = people[operation.caller];
      const request = operation.isLeaving
        ? person.post('/api/user/deletion', { handle: operation.caller })
        : person.delete('/api/user/deletion');
      return (await read(request)).reply;
    }
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
    case 'slots':
      await unwatched('slots', () => history.setSlotMs(operation.slotMs));
      return OK;
    case 'nodes':
      history.nodes.change(operation);
      return OK;
  }
}

/** Opens a call, which the database ignores while the caller is leaving. Uses SQL, because the rule of silence only depends on its time. */
async function act(caller: CallerName, now: number): Promise<void> {
  const id = createId();
  await insertRows('calls', [{ id, caller_id: caller, called_at: now }]);
  await query(
    `INSERT INTO call_events (id, kind, call_id, caller_id, at)
     SELECT id, 'call_opened', id, caller_id, called_at FROM calls WHERE id = ?`,
    id,
  );
}

async function open(
  history: History,
  { person, caller, days }: Kinds['open'],
): Promise<{ reply: Reply; intent?: Intent }> {
  const { people, intents, offers, now } = history;
  const requestedAt = now();
  const seen = findSeen(history, { person, caller });
  const { reply, body } = await read<OpenIntentResponse>(
    people[person].post('/api/solana/get-latest-blockhash', { callerId: caller, days }),
  );
  if (!reply.ok) return { reply };
  offers.push({ what: `${person} was asked to pay ${caller} again`, seen });
  const { id, reference, callerAddress } = body.intent;
  const [feeLamports, callerLamports, platformLamports] = [
    BigInt(body.intent.feeLamports),
    BigInt(body.intent.callerLamports),
    BigInt(body.intent.platformLamports),
  ];
  must(body.intent.days === days, `${person} asked for ${days} days but received ${body.intent.days}`);
  const expiresAt = Date.parse(body.intent.expiresAt);
  const known = intents.find((intent) => intent.reference === reference);
  must(
    known === undefined || (known.owner === person && known.caller === caller),
    `${person} received the intent of ${known?.owner}`,
  );
  must(
    expiresAt > requestedAt && expiresAt <= now() + INTENT_MS,
    `an intent opened at ${now()} ends at ${expiresAt}`,
  );
  must(
    platformLamports === (callerLamports + platformLamports) / 10n,
    `the platform gets ${platformLamports} and the caller ${callerLamports} lamports, which is not 10 and 90 percent`,
  );
  if (known) {
    known.isLost = false;
    // A reused intent counts as the newest one.
    intents.push(...intents.splice(intents.indexOf(known), 1));
    return { reply, intent: known };
  }
  const terms = {
    id,
    reference,
    callerAddress,
    days,
    feeLamports,
    callerLamports,
    platformLamports,
    expiresAt,
  };
  const intent = { ...terms, owner: person, caller, isLost: false };
  intents.push(intent);
  return { reply, intent };
}

interface Signing {
  readonly intent: Intent;
  readonly other: Intent | undefined;
  readonly payer: number;
  readonly second: number;
  readonly shape: Shape;
  readonly version: Version;
}

async function sign({ transactions, nodes }: History, signing: Signing): Promise<Signed> {
  const { value: latest } = await unwatched('sign', () =>
    rpc<{ value: { blockhash: string; lastValidBlockHeight: number } }>('getLatestBlockhash', {
      commitment: 'confirmed',
    }),
  );
  const signed = signTransaction({ ...signing, number: transactions.length + 1, latest });
  const known = transactions.find(({ signature }) => signature === signed.signature);
  if (known) return known;
  if (signed.version === UNREADABLE_VERSION) nodes.makeUnreadable(signed.signature);
  transactions.push(signed);
  return signed;
}

/** Sends directly to the chain, like a wallet that signs and sends. A failing transaction lands and pays its fee. */
async function sendByWallet(transaction: Signed): Promise<Reply> {
  transaction.isSentByWallet = true;
  await unwatched('land', () => land(transaction.bytes, { skipPreflight: true }));
  return OK;
}

interface Request {
  readonly transaction: Signed;
  readonly person: Name;
}

async function sendTo(history: History, { transaction, person }: Request): Promise<Reply> {
  const { people, offers, now } = history;
  const before = transaction.sent;
  const isInTime = transaction.names.some(({ expiresAt }) => now() < expiresAt);
  if (before !== 'accepted' && isInTime) transaction.sent = 'unknown';
  transaction.wasReportedExpired = false;
  // Unknown until the step ends. A killed request may have sent the transaction at any time, and the clock may
  // jump meanwhile.
  transaction.sentAt = Number.POSITIVE_INFINITY;
  const [intent, ...others] = transaction.names;
  const seen = intent ? findSeen(history, { person, caller: intent.caller }) : [];
  const { reply, body } = await read<{ message?: string }>(send(people[person], transaction.bytes));
  if (reply.ok) {
    offers.push({ what: `${transaction.name} was sent`, sent: transaction, seen });
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

async function confirm({ people }: History, { transaction, person }: Request): Promise<Reply> {
  const { reply, body } = await read<ConfirmTransactionResponse>(
    people[person].post('/api/solana/confirm-transaction', { signature: transaction.signature }),
  );
  if (reply.ok) {
    must(
      transaction.names.some(({ owner }) => owner === person),
      `${person} confirmed ${transaction.name}, which belongs to somebody else`,
    );
    must(body.result.value.length === 1, 'a confirmation without a status');
  } else if (reply.code === 'payments.expired') {
    // This report doesn't count if a concurrent request sends the transaction again.
    transaction.wasReportedExpired = Number.isFinite(transaction.sentAt);
  }
  return reply;
}

async function claim(
  { people }: History,
  { transaction, person, amounts }: Request & Pick<OperationOf<'claim'>, 'amounts'>,
): Promise<Reply> {
  const intent = transaction.names.find(({ owner }) => owner === person) ?? transaction.names[0];
  const sol = (lamports: bigint) =>
    `${lamports / 1_000_000_000n}.${String(lamports % 1_000_000_000n).padStart(9, '0')}`;
  const platform = intent?.platformLamports ?? 1n;
  const total = platform + (intent?.callerLamports ?? 9n);
  const body = {
    callerId: intent?.caller ?? CALLERS[0],
    monthlyFee: sol(intent?.feeLamports ?? total),
    platformFee: sol(platform),
    totalAmount: sol(amounts === 'right' ? total : total - 1n),
    transactionId: transaction.signature,
  };
  const { reply, body: subscription } = await read<Subscription>(
    people[person].post('/api/subscriptions', body),
  );
  if (!reply.ok) {
    transaction.wasSeenUnreadable ||= reply.code === 'payments.unreadable' && intent?.owner === person;
    return reply;
  }
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

/** Searches for an intent's payment, like a page that doesn't know its signature. */
export async function search({ people, transactions }: History, intent: Intent): Promise<Reply> {
  const { reply, body: subscription } = await read<Subscription>(
    people[intent.owner].post('/api/solana/search-payment', { intentId: intent.id }),
  );
  if (!reply.ok) return reply;
  const found = transactions.find(({ signature }) => signature === subscription.payment?.transactionId);
  must(
    found?.pays.includes(intent) === true && subscription.subscriberId === intent.owner,
    `${intent.owner} searched for a payment but received another subscription`,
  );
  return reply;
}

/** Runs the steps that the page takes after the user presses Pay, up to the step `until`. */
async function pay(history: History, { until, ...operation }: OperationOf<'pay'>): Promise<Reply> {
  const { person, payer } = operation;
  const { reply, intent } = await open(history, operation);
  if (!intent) return reply;
  const transaction = await sign(history, { ...operation, intent, other: undefined, second: payer + 1 });
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
