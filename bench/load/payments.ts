import { setTimeout as pause } from 'node:timers/promises';
import bs58 from 'bs58';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import type { Chain } from '#dev/stand-ins/chain/chain.ts';
import { signPayment } from '#dev/seed/pay-on-chain.ts';
import type { Random } from '#test/seeded-random.ts';
import type { Expected } from '../../e2e/payments/model/repaired.ts';
import { readJson, type Client } from './client.ts';
import type { HiddenCalls } from './hidden-calls.ts';
import type { Caller, Person } from './people.ts';

/** A signed transaction, and whether it pays its intent exactly. */
export interface Signed extends Expected {
  readonly isExact: boolean;
  sentAt: number;
}

export interface Payments {
  readonly client: Client;
  readonly chain: Chain;
  readonly random: Random;
  readonly hidden: HiddenCalls;
  readonly report: (violation: string) => void;
  /** Every transaction that was sent. */
  readonly transactions: Signed[];
}

/** Payment outcomes to draw from at random. Each outcome is repeated by its count. */
const PAYMENT_OUTCOMES = Object.entries({
  claimed: 11,
  'claimed twice at once': 2,
  'closed after sending': 2,
  'closed before signing': 2,
  'sent by the wallet itself': 2,
  'one lamport short': 1,
}).flatMap(([outcome, count]) => Array.from({ length: count }, () => outcome));
const SENDS = 3;
const POLLS = 40;
const POLL_MS = 1.5 * SECOND_MS;
const KIND = 'payment';
const SIGNATURE_BYTES = 64;

/** Pays a caller as the page does, or stops halfway. */
export async function pay(
  payments: Payments,
  { person, caller }: { person: Person; caller: Caller },
): Promise<void> {
  const { client, chain, random, hidden, transactions } = payments;
  const post = (path: string, body: object, refusals: Parameters<Client['send']>[0]['refusals'] = []) =>
    client.send({ kind: KIND, method: 'POST', path, body, viewer: person, refusals });
  const callerId = caller.id;
  const opened = await post('/api/solana/get-latest-blockhash', { callerId }, [
    'payments.already_sent',
    'payments.too_many_unused',
    // An earlier payment to the same caller was one lamport short.
    'payments.wrong_amount',
  ]);
  const terms = readJson<OpenIntentResponse>(opened);
  const fate = random.pick(PAYMENT_OUTCOMES);
  if (!terms || fate === 'closed before signing') return;
  await pause(random.between(1, 4) * SECOND_MS);
  const { bytes, signed } = sign(terms, person, fate !== 'one lamport short');
  if (signed.isExact) hidden.allow(person.id, callerId);
  transactions.push(signed);
  if (fate === 'sent by the wallet itself' || fate === 'one lamport short') {
    chain.submit(bytes);
    return;
  }
  const body = { transaction: Buffer.from(bytes).toString('base64') };
  let isSent = false;
  for (let sends = 0; sends < SENDS && !isSent; sends += 1) {
    const sent = await post('/api/solana/send-transaction', body, [
      'payments.already_sent',
      'payments.blockhash_expired',
    ]);
    signed.sentAt = Date.now();
    isSent = sent.status === 200;
    if (sent.status < 500 && !isSent) return;
  }
  if (!isSent || fate === 'closed after sending') return;
  await confirmAndClaim(payments, {
    person,
    caller,
    terms,
    signature: signed.signature,
    isTwice: fate !== 'claimed',
  });
}

interface Claiming {
  readonly person: Person;
  readonly caller: Caller;
  readonly terms: OpenIntentResponse;
  readonly signature: string;
  readonly isTwice: boolean;
}

async function confirmAndClaim({ client, report }: Payments, claiming: Claiming): Promise<void> {
  const { person, caller, terms, signature, isTwice } = claiming;
  const poll = async <Body>(path: string, body: object): Promise<Body | null> => {
    for (let polls = 0; polls < POLLS; polls += 1) {
      const reply = await client.send({ kind: KIND, method: 'POST', path, body, viewer: person });
      if (reply.status === 200 || reply.status === 201) return readJson<Body>(reply);
      if (reply.status > 0 && reply.status < 500 && reply.status !== 202) return null;
      await pause(POLL_MS);
    }
    report(`${path} answered 202 or an error ${POLLS} times for ${signature}`);
    return null;
  };
  if (!(await poll('/api/solana/confirm-transaction', { signature }))) return;
  const platform = BigInt(terms.intent.platformLamports);
  const total = formatSol(BigInt(terms.intent.callerLamports) + platform);
  const body = {
    callerId: caller.id,
    monthlyFee: formatSol(BigInt(terms.intent.feeLamports)),
    platformFee: formatSol(platform),
    totalAmount: total,
    transactionId: signature,
  };
  const claims = Array.from({ length: isTwice ? 2 : 1 }, () =>
    poll<Subscription>('/api/subscriptions', body),
  );
  const ids = new Set((await Promise.all(claims)).map((subscription) => subscription?.id));
  if (ids.size !== 1) report(`two claims of ${signature} got different subscriptions`);
  const path = `/api/token-calls/caller/${caller.id}/active`;
  await client.send({ kind: KIND, path, viewer: person });
}

function sign(
  terms: OpenIntentResponse,
  { wallet }: Person,
  isExact: boolean,
): { bytes: Uint8Array; signed: Signed } {
  const { intent } = terms;
  const callerGain = BigInt(intent.callerLamports) - (isExact ? 0n : 1n);
  const paid = { ...terms, intent: { ...intent, callerLamports: String(callerGain) } };
  const bytes = signPayment(wallet, paid);
  const signature = bs58.encode(bytes.subarray(1, 1 + SIGNATURE_BYTES));
  return {
    bytes,
    signed: {
      name: `${isExact ? 'payment' : 'short payment'} ${signature}`,
      signature,
      names: [{ reference: intent.reference }],
      callerGain,
      platformGain: BigInt(intent.platformLamports),
      isExact,
      wasBroadcastForIntent: isExact,
      sentAt: Date.now(),
    },
  };
}
