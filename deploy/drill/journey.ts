import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import { DOCUMENT_VERSIONS } from '#schema/constants.ts';
import type { OpenIntentAnswer, SendTransactionAnswer } from '#schema/contracts/payments.ts';
import { formatSol } from '#schema/rules/lamports.ts';
import { ORIGIN, SOLANA_URL } from './versions.ts';

export interface Answer {
  readonly request: string;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

interface Person {
  readonly id: string;
  readonly cookie: string;
}

interface Sent {
  readonly method?: string;
  readonly cookie?: string;
  readonly body?: unknown;
}

/** Sends requests and remembers their answers. */
export function createVisitor() {
  const answers: Answer[] = [];
  async function send(path: string, { method = 'GET', cookie, body }: Sent = {}): Promise<Answer> {
    const response = await fetch(new URL(path, ORIGIN), {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie === undefined ? {} : { Cookie: cookie }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    const answer = { request: `${method} ${path}`, status, headers, text: await response.text() };
    answers.push(answer);
    return answer;
  }
  return { answers, send };
}

export type Visitor = ReturnType<typeof createVisitor>;

const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

async function signIn({ send }: Visitor, handle: string): Promise<Person> {
  const start = await send('/api/auth/twitter');
  const consent = await fetch(`${start.headers.get('Location')}&login_as=${handle}`, { redirect: 'manual' });
  const signedIn = await send(consent.headers.get('Location') ?? '', { cookie: cookiesOf(start.headers) });
  const cookie = cookiesOf(signedIn.headers);
  const { id } = JSON.parse((await send('/api/auth/user', { cookie })).text) as { id: string };
  return { id, cookie };
}

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

const PUBLIC_PATHS = [
  '/',
  '/caller/amara_calls',
  '/sitemap.xml',
  '/api/callers',
  '/api/callers?search=am&sort=winRate',
  '/api/callers/amara_calls',
  '/api/token-calls/ended',
  `/api/prices?mints=${WIF}`,
];

const OWN_PATHS = [
  '/api/auth/user',
  '/api/subscriptions/my',
  '/api/subscriptions/calls',
  '/api/user/sessions',
  '/api/user/wallets',
  '/api/user/notifications',
  '/api/payments',
];

/** Reads public pages and lists. */
export async function browse({ send }: Visitor): Promise<void> {
  for (const path of PUBLIC_PATHS) await send(path);
}

/**
 * Uses the features of a version: a sample person with subscriptions and payments reads their own data, and a new person
 * becomes a caller, makes a call, writes about it and ends it. Another one follows them, and pays another caller.
 */
export async function useEverything(visitor: Visitor, name: string): Promise<void> {
  const { send } = visitor;
  await browse(visitor);
  const sample = await signIn(visitor, 'tobi_drift');
  for (const path of OWN_PATHS) await send(path, { cookie: sample.cookie });
  const [caller, follower] = [await signIn(visitor, `${name}_caller`), await signIn(visitor, `${name}_fan`)];
  const post = ({ cookie }: Person, path: string, body?: unknown, method = 'POST') =>
    send(path, { method, cookie, ...(body === undefined ? {} : { body }) });
  await post(caller, '/api/user/acceptances', DOCUMENT_VERSIONS);
  await post(caller, '/api/user/become-caller', { subscriptionPrice: '' });
  const { price } = JSON.parse((await send(`/api/tokens/${WIF}`, { cookie: caller.cookie })).text) as {
    price: string;
  };
  const token = { tokenMint: WIF, tokenSymbol: 'WIF', tokenName: 'dogwifhat' };
  const made = await post(caller, '/api/token-calls', { ...token, entryPrice: price, callerId: caller.id });
  await post(follower, '/api/subscriptions/free', { callerId: caller.id });
  await send(`/api/token-calls/caller/${caller.id}/active`, { cookie: follower.cookie });
  const { id } = JSON.parse(made.text) as { id: string };
  await post(caller, '/api/telegram/send-update', { callId: id, message: 'Still holding.' });
  await post(caller, `/api/token-calls/${id}/end`, undefined, 'PATCH');
  await send(`/api/token-calls/caller/${caller.id}/history`);
  await send(`/api/callers/${caller.id}/statistics`);
  await send('/api/payments/earnings', { cookie: caller.cookie });
  await pay(visitor, follower);
}

/** Subscribes to a caller with a fee, from a new wallet with a SOL airdrop. */
async function pay({ send }: Visitor, { cookie }: Person): Promise<void> {
  const post = (path: string, body: unknown) => send(path, { method: 'POST', cookie, body });
  await post('/api/user/acceptances', DOCUMENT_VERSIONS);
  const { id: callerId } = JSON.parse((await send('/api/callers/amara_calls')).text) as { id: string };
  const connection = new Connection(SOLANA_URL, 'confirmed');
  const payer = Keypair.generate();
  const airdrop = await connection.requestAirdrop(payer.publicKey, 5 * LAMPORTS_PER_SOL);
  await connection.confirmTransaction({ signature: airdrop, ...(await connection.getLatestBlockhash()) });
  const terms = JSON.parse(
    (await post('/api/solana/get-latest-blockhash', { callerId })).text,
  ) as OpenIntentAnswer;
  const transaction = signPayment(terms, payer);
  const sent = JSON.parse(
    (await post('/api/solana/send-transaction', { transaction })).text,
  ) as SendTransactionAnswer;
  await post('/api/solana/confirm-transaction', { signature: sent.result });
  const platformLamports = BigInt(terms.intent.platformLamports);
  const total = formatSol(BigInt(terms.intent.callerLamports) + platformLamports);
  const amounts = { monthlyFee: total, platformFee: formatSol(platformLamports), totalAmount: total };
  await post('/api/subscriptions', { callerId, ...amounts, transactionId: sent.result });
  await send('/api/payments', { cookie });
  await send(`/api/token-calls/caller/${callerId}/active`, { cookie });
}

/** @returns the signed transaction in base64 */
function signPayment({ intent, result }: OpenIntentAnswer, payer: Keypair): string {
  const transfer = (to: string, lamports: string) =>
    SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: new PublicKey(to),
      lamports: BigInt(lamports),
    });
  const first = transfer(intent.callerAddress, intent.callerLamports);
  first.keys.push({ pubkey: new PublicKey(intent.reference), isSigner: false, isWritable: false });
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    recentBlockhash: result.value.blockhash,
  }).add(first, transfer(intent.platformAddress, intent.platformLamports));
  transaction.sign(payer);
  return transaction.serialize().toString('base64');
}
