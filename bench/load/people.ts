import { Keypair } from '@solana/web3.js';
import { ed25519 } from '@noble/curves/ed25519';
import { LAMPORTS_PER_SOL } from '#schema/constants/money.ts';
import { DOCUMENT_VERSIONS } from '#schema/constants/people.ts';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { WalletChallenge } from '#schema/contracts/wallets.ts';
import { localOperator } from '#dev/local/local-operator.ts';
import type { Environment } from '#dev/local/environment.ts';
import { cookiesOf, readJson, type Client, type Viewer } from './client.ts';
import type { WatchedCall } from './hidden-calls.ts';

export interface Person extends Viewer {
  readonly id: string;
  readonly handle: string;
  readonly cookie: string;
  readonly wallet: Keypair;
  /** Their chat with the bot on the local Telegram. */
  chatId?: number;
}

export interface Caller extends Person {
  readonly isFree: boolean;
  /** The number of calls that the person has tried to open. The product allows ten an hour. */
  opened: number;
  readonly active: Set<WatchedCall>;
}

export interface People {
  readonly callers: readonly Caller[];
  readonly followers: readonly Person[];
  /** People whose access to every Paid caller has ended. */
  readonly lapsed: readonly Person[];
  readonly operator: Person;
}

const COUNTS = { callers: 40, followers: 60, lapsed: 4 };
/** The smallest numbers of people. One of five callers is Free. */
const TINY_COUNTS = { callers: 5, followers: 6, lapsed: 1 };
/** The number of concurrent sign-ins. */
const AT_ONCE = 6;
const FEES = ['', '0.05', '0.5', '0.123456789', '1'];

/** One network address per number, in the range for benchmarks (RFC 2544). */
export const addressOf = (number: number) => `198.18.${Math.floor(number / 250)}.${(number % 250) + 1}`;

interface Setup {
  readonly client: Client;
  readonly environment: Environment;
  readonly kind?: string;
}

/** Signs in through the local X. Null if X or the product failed. */
export async function signIn(
  { client, environment, kind = 'set-up' }: Setup,
  { handle, address }: { handle: string; address: string },
): Promise<Person | null> {
  const visitor = { address };
  const start = await client.send({ kind, path: '/api/auth/twitter', viewer: visitor });
  const consent = await fetch(`${start.headers.get('Location')}&login_as=${handle}`, {
    redirect: 'manual',
  }).catch(() => null);
  const callback = consent?.headers.get('Location');
  if (callback === null || callback === undefined) return null;
  const path = callback.replace(/^https?:\/\/[^/]+/, '');
  const finished = await client.send({ kind, path, viewer: { address, cookie: cookiesOf(start) } });
  const cookie = cookiesOf(finished);
  if (finished.status !== 302) return null;
  const user = readJson<CurrentUser>(
    await client.send({ kind, path: '/api/auth/user', viewer: { address, cookie }, refusals: [] }),
  );
  if (!user) return null;
  const wallet = Keypair.generate();
  environment.chain.airdrop(wallet.publicKey.toBase58(), 1_000n * LAMPORTS_PER_SOL);
  return { id: user.id, handle, address, cookie, wallet };
}

/** Proves a wallet as the browser does. */
export async function proveWallet(
  { client, kind = 'set-up' }: Setup,
  person: Person,
  wallet: Keypair,
): Promise<void> {
  const post = (path: string, body: object) =>
    client.send({
      kind,
      method: 'POST',
      path,
      body,
      viewer: person,
      refusals: ['wallets.already_added', 'wallets.too_many'],
    });
  const walletAddress = wallet.publicKey.toBase58();
  const challenge = readJson<WalletChallenge>(await post('/api/user/wallets/challenge', { walletAddress }));
  if (!challenge) return;
  const signed = ed25519.sign(new TextEncoder().encode(challenge.message), wallet.secretKey.slice(0, 32));
  await post('/api/user/wallets', { walletAddress, signature: Buffer.from(signed).toString('base64') });
}

/** Saves a handle and presses Start in the local Telegram. */
export async function connectTelegram(
  { client, environment, kind = 'set-up' }: Setup,
  person: Person,
): Promise<void> {
  const body = { telegramHandle: person.handle };
  const path = '/api/user/telegram-connect';
  // A new chat needs a recent sign-in.
  const refusals = ['auth.fresh_sign_in_needed'] as const;
  const response = readJson<ConnectTelegramResponse>(
    await client.send({ kind, method: 'POST', path, body, viewer: person, refusals }),
  );
  if (!response) return;
  const payload = new URL(response.startUrl).searchParams.get('start') ?? '';
  const pressed = await fetch(`${environment.standInsUrl}/_control/telegram/start`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ handle: person.handle, payload }),
  });
  person.chatId = ((await pressed.json()) as { chatId: number }).chatId;
}

async function enter(setup: Setup, number: number): Promise<Person> {
  const person = await signIn(setup, { handle: `soak_${number}`, address: addressOf(number) });
  if (!person) throw new Error(`soak_${number} could not sign in`);
  const path = '/api/user/acceptances';
  const accept = { kind: 'set-up', method: 'POST', path, body: DOCUMENT_VERSIONS, viewer: person };
  await setup.client.send(accept);
  return person;
}

/** Subscribes a new browser at the local push service. */
async function turnPushOn({ client, environment }: Setup, person: Person): Promise<void> {
  const browser: unknown = await (
    await fetch(`${environment.standInsUrl}/_control/push/browsers`, { method: 'POST' })
  ).json();
  await client.send({ kind: 'set-up', method: 'PUT', path: '/api/user/push', body: browser, viewer: person });
}

/** Every fifth number is a Free caller. */
export async function becomeCaller(setup: Setup, number: number): Promise<Caller> {
  const person = await enter(setup, number);
  const fee = FEES[number % FEES.length] ?? '';
  const body = { subscriptionPrice: fee };
  const path = '/api/user/become-caller';
  await setup.client.send({ kind: 'set-up', method: 'POST', path, body, viewer: person });
  if (fee !== '') await proveWallet(setup, person, person.wallet);
  return { ...person, isFree: fee === '', opened: 0, active: new Set() };
}

/**
 * Signs all people in. Every second follower has a chat with the bot, every third one a browser that gets push
 * messages.
 */
export async function createPeople(setup: Setup, { isTiny }: { isTiny: boolean }): Promise<People> {
  const counts = isTiny ? TINY_COUNTS : COUNTS;
  const gather = async <Someone>(from: number, count: number, make: (number: number) => Promise<Someone>) => {
    const people: Someone[] = [];
    for (let done = 0; done < count; done += AT_ONCE) {
      const numbers = Array.from(
        { length: Math.min(AT_ONCE, count - done) },
        (_, index) => from + done + index,
      );
      people.push(...(await Promise.all(numbers.map(make))));
    }
    return people;
  };
  const callers = await gather(0, counts.callers, (number) => becomeCaller(setup, number));
  const others = await gather(counts.callers, counts.followers + counts.lapsed, async (number) => {
    const person = await enter(setup, number);
    if (number % 2 === 0 || number >= counts.callers + counts.followers) await connectTelegram(setup, person);
    if (number % 3 === 0) await turnPushOn(setup, person);
    return person;
  });
  const operator = await signIn(setup, {
    handle: localOperator.handle,
    address: addressOf(counts.callers + counts.followers + counts.lapsed),
  });
  if (!operator) throw new Error('The operator could not sign in');
  return {
    callers,
    followers: others.slice(0, counts.followers),
    lapsed: others.slice(counts.followers),
    operator,
  };
}
