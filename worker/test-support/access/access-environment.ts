import { DAY_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { Way } from '#schema/contracts/ways.ts';
import type { SavedWallet } from '#schema/contracts/wallets.ts';
import { readResponse } from '../responses.ts';
import {
  createCaller,
  createPaidCaller,
  keepCallersActive,
  makeCall,
  MINTS,
  proveWallet,
  makeEndedCall,
} from '../people/callers.ts';
import { createFundedWallet } from '../payments/chain.ts';
import { query } from '../database/database.ts';
import { createApiKey, sentWith } from '../people/api-keys.ts';
import { holdToken } from '../people/hold-token.ts';
import { openIntent, pay } from '../payments/payments.ts';
import { createOperatedApp } from '../people/operators.ts';
import { type Person, type TestApp } from '../test-app.ts';
import { NO_LIMITS } from '../test-limits.ts';

export const VIEWERS = [
  'anonymous',
  'forged session',
  'logged-out owner',
  'revoked key',
  'stranger',
  'verified stranger',
  'free follower',
  'former free follower',
  'buyer with an open payment',
  'lapsed subscriber',
  'subscriber of another caller',
  'another caller',
  'operator',
  'subscriber',
  'owner',
  'key of the subscriber',
  'key of the owner',
] as const;
export type Viewer = (typeof VIEWERS)[number];

export const SIGNED_IN: readonly Viewer[] = VIEWERS.slice(4);

/** The owners of API keys. The subscriber's key can only read, the owner's may make calls. */
export const KEY_OWNERS: Readonly<Partial<Record<Viewer, Viewer>>> = {
  'revoked key': 'owner',
  'key of the subscriber': 'subscriber',
  'key of the owner': 'owner',
};

/** Data that only some viewers may see, with the texts to search for by field. */
export interface Secret {
  readonly texts: Readonly<Record<string, string>>;
  readonly shownTo: readonly Viewer[];
}

export const SECRETS = {
  'hidden call': ['subscriber', 'owner', 'key of the subscriber', 'key of the owner'],
  'call of a Free caller': SIGNED_IN,
  'payment of the subscriber': ['operator', 'subscriber', 'owner'],
  'account of the subscriber': ['subscriber'],
  'account of the owner': ['owner'],
} as const satisfies Record<string, readonly Viewer[]>;
export type SecretName = keyof typeof SECRETS;

/**
 * Ids that requests contain. The first five are public. For the others, a viewer without access must get the
 * same response as for an unknown id.
 */
export interface Subject {
  readonly callerId: string;
  readonly handle: string;
  readonly subscriberId: string;
  readonly endedId: string;
  readonly today: string;
  readonly hiddenId: string;
  readonly freeCallId: string;
  readonly walletId: string;
  readonly sessionId: string;
  readonly apiKeyId: string;
  readonly chatId: string;
  readonly signature: string;
}

/** The secret that each of these ids belongs to. */
export const SECRET_IDS = {
  hiddenId: 'hidden call',
  freeCallId: 'call of a Free caller',
  walletId: 'account of the owner',
  sessionId: 'account of the subscriber',
  apiKeyId: 'account of the owner',
  chatId: 'account of the owner',
  signature: 'payment of the subscriber',
} as const satisfies Partial<Record<keyof Subject, SecretName>>;

export type Credentials = Readonly<Partial<Record<'Cookie' | 'Authorization', string>>>;

export interface AccessEnvironment {
  readonly app: TestApp;
  readonly owner: Person;
  readonly subscriber: Person;
  readonly freeCaller: Person;
  readonly loggedOutCookie: string;
  /** The headers with which the app recognises each viewer: a cookie or an API key. */
  readonly credentials: Readonly<Record<Viewer, Credentials>>;
  readonly subject: Subject;
  readonly secrets: Readonly<Record<SecretName, Secret>>;
  /** Texts that no response and no log may contain. */
  readonly neverShown: Readonly<Record<string, string>>;
}

export const HIDDEN_MINT = MINTS.WIF;
const ENTRY = 3.14159265;
const WORDS = {
  thesis: 'The hat stays on until the listing.',
  targetPrice: '6.28318531',
  stopPrice: '1.41421356',
  isPaidPromotion: true,
};
const FREE_WORDS = { thesis: 'Dogs have their day on Friday.', targetPrice: '7.77123456' };
const PEAK = '4.66920161';
const CLOSE = '2.71828183';
const HIT = '6.30122449';
const HELD = '57721566490';
const MARK = '3.35988566';
const UPDATE = 'Half of it is sold at four.';

/**
 * Creates a Paid caller with an ended and a hidden call, a Free caller with an active call, and a browser for each kind
 * of viewer.
 */
export async function createAccessEnvironment(): Promise<AccessEnvironment> {
  const { app } = await createOperatedApp(NO_LIMITS);
  const { lapsed } = await createPast(app);
  const owner = await app.signIn('keeper_of_calls');
  const { ended, hidden, texts } = await publishCalls(app, owner);
  const freeCaller = await createCaller(app, 'free_caller');
  const free = await makeCall({ caller: freeCaller, mint: MINTS.BONK, price: 7.5, ...FREE_WORDS });

  const stranger = await app.signIn('stranger');
  const verified = await app.signIn('verified_reader');
  await query('UPDATE users SET is_verified = 1 WHERE id = ?', verified.id);
  const follower = await app.signIn('free_follower');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: freeCaller.id }), 201);
  const undecided = await app.signIn('undecided');
  await openIntent(undecided, owner.id);
  const { caller: rival } = await createPaidCaller(app, { handle: 'rival' });
  const reader = await app.signIn('reader_of_rival');
  await pay({ person: reader, callerId: rival.id });
  const subscriber = await app.signIn('subscriber');
  const { signature } = await pay({ person: subscriber, callerId: owner.id });
  const loggedOut = await app.signIn('keeper_of_calls', { cookie: '' });
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  await app.request('/api/logout', { cookie: loggedOut.cookie, headers });

  await app.services.logSequencer.sequence();
  const ownerAccount = await describeAccount(app, owner, { mayCall: true });
  const subscriberAccount = await describeAccount(app, subscriber, { mayCall: false });
  const revoked = await createApiKey(app, owner);
  await readResponse(owner.delete(`/api/user/ways/${revoked.id}`));
  const secret = (name: SecretName, its: Secret['texts']): Secret => ({ texts: its, shownTo: SECRETS[name] });
  return {
    app,
    owner,
    subscriber,
    freeCaller,
    loggedOutCookie: loggedOut.cookie,
    credentials: {
      anonymous: {},
      'forged session': { Cookie: '__Host-session=forged' },
      'logged-out owner': { Cookie: loggedOut.cookie },
      stranger: { Cookie: stranger.cookie },
      'verified stranger': { Cookie: verified.cookie },
      'free follower': { Cookie: follower.cookie },
      'former free follower': { Cookie: (await app.signIn('former_follower')).cookie },
      'buyer with an open payment': { Cookie: undecided.cookie },
      'lapsed subscriber': { Cookie: lapsed.cookie },
      'subscriber of another caller': { Cookie: reader.cookie },
      'another caller': { Cookie: rival.cookie },
      operator: { Cookie: (await app.signIn('operator')).cookie },
      subscriber: { Cookie: subscriber.cookie },
      owner: { Cookie: owner.cookie },
      'revoked key': sentWith(revoked.key),
      'key of the subscriber': sentWith(subscriberAccount.key),
      'key of the owner': sentWith(ownerAccount.key),
    },
    subject: {
      callerId: owner.id,
      handle: owner.handle,
      subscriberId: subscriber.id,
      endedId: ended.id,
      today: new Date(app.clock.now()).toISOString().slice(0, 10),
      hiddenId: hidden.id,
      freeCallId: free.id,
      walletId: ownerAccount.walletId,
      sessionId: subscriberAccount.sessionId,
      apiKeyId: ownerAccount.texts.apiKeyId,
      chatId: ownerAccount.texts.chatId,
      signature,
    },
    secrets: {
      'hidden call': secret('hidden call', texts),
      'call of a Free caller': secret('call of a Free caller', { id: free.id, ...FREE_WORDS }),
      'payment of the subscriber': secret('payment of the subscriber', { signature }),
      'account of the subscriber': secret('account of the subscriber', subscriberAccount.texts),
      'account of the owner': secret('account of the owner', ownerAccount.texts),
    },
    neverShown: {
      ...Object.fromEntries(
        [owner, subscriber, loggedOut].map((person) => [
          `session token of ${person.handle}`,
          person.cookie.slice(person.cookie.indexOf('=') + 1),
        ]),
      ),
      'API key of the owner': ownerAccount.key,
      'API key of the subscriber': subscriberAccount.key,
    },
  };
}

/** Creates data of a month ago: a free follow before the caller became Paid, and a subscription that has ended. */
async function createPast(app: TestApp): Promise<{ lapsed: Person }> {
  const owner = await createCaller(app, 'keeper_of_calls');
  await proveWallet(owner, await createFundedWallet(1));
  const follower = await app.signIn('former_follower');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: owner.id }), 201);
  await readResponse(owner.patch('/api/user/caller-profile', { monthlyFee: '0.5' }));
  await pay({ person: await app.signIn('lapsed_reader'), callerId: owner.id });
  await keepCallersActive();
  await app.advance(30 * DAY_MS);
  return { lapsed: await app.signIn('lapsed_reader') };
}

async function publishCalls(app: TestApp, caller: Person) {
  const ended = await makeEndedCall({ caller, mint: MINTS.JUP });
  await app.advance(61_003);
  const hidden = await makeCall({ caller, mint: HIDDEN_MINT, price: ENTRY, ...WORDS });
  await app.advance(61_007);
  const now = app.clock.now();
  await query('UPDATE calls SET peak_price = ?, peak_at = ? WHERE id = ?', PEAK, now, hidden.id);
  await query('INSERT INTO price_closes (mint, at, price) VALUES (?, ?, ?)', hidden.tokenMint, now, CLOSE);
  await query(
    `INSERT INTO price_marks (call_id, side, price, liquidity_usd, source, seen_at)
     VALUES (?, 'open', ?, 50000, 'jupiter', ?)`,
    hidden.id,
    MARK,
    now,
  );
  await query(
    `INSERT INTO call_events (id, kind, call_id, caller_id, level, price, at)
     VALUES ('level_hit:' || ?1 || ':target', 'level_hit', ?1, ?2, 'target', ?3, ?4)`,
    hidden.id,
    caller.id,
    HIT,
    now,
  );
  await holdToken({ callId: hidden.id, amount: HELD });
  await readResponse(caller.post('/api/telegram/send-update', { callId: hidden.id, message: UPDATE }));
  const [stored] = await query<{ logo_uri: string }>('SELECT logo_uri FROM calls WHERE id = ?', hidden.id);
  return { ended, hidden, texts: textsOf(hidden, stored?.logo_uri ?? '') };
}

const textsOf = (hidden: TokenCall, logoUrl: string) => ({
  id: hidden.id,
  tokenMint: hidden.tokenMint,
  tokenSymbol: hidden.tokenSymbol,
  tokenName: hidden.tokenName,
  entryPrice: hidden.entryPrice,
  entryMarketCapUsd: String(hidden.entryMarketCapUsd),
  callTimestamp: hidden.callTimestamp,
  calledAt: String(Date.parse(hidden.callTimestamp)),
  logoURI: String(hidden.logoURI),
  logoUrl,
  thesis: WORDS.thesis,
  targetPrice: WORDS.targetPrice,
  stopPrice: WORDS.stopPrice,
  peak: PEAK,
  close: CLOSE,
  levelHit: HIT,
  held: HELD,
  mark: MARK,
  update: UPDATE,
});

/** Gives a person an email, a Telegram name, an unproven wallet and an API key. */
async function describeAccount(app: TestApp, person: Person, { mayCall }: { mayCall: boolean }) {
  const email = `${person.handle}.private@lanternby.example`;
  const telegram = `tele_${person.handle}`;
  await query('UPDATE users SET email = ? WHERE id = ?', email, person.id);
  await readResponse(person.post('/api/user/telegram-connect', { telegramHandle: telegram }));
  const walletAddress = (await createFundedWallet(0)).publicKey.toBase58();
  const wallet = await readResponse<SavedWallet>(person.post('/api/user/wallets', { walletAddress }), 201);
  const [session] = await readResponse<Way[]>(person.get('/api/user/ways'));
  const sessionId = session?.id ?? '';
  const { id: apiKeyId, key } = await createApiKey(app, person, { mayCall });
  const chatTitle = `Chat of ${person.handle}`;
  const chatId = await insertChat({ callerId: person.id, title: chatTitle });
  return {
    walletId: wallet.id,
    sessionId,
    key,
    texts: { email, telegram, walletAddress, walletId: wallet.id, sessionId, apiKeyId, chatTitle, chatId },
  };
}

let nextChat = 0;

/** Connects a group on Telegram that isn't due for a check. */
async function insertChat({ callerId, title }: { callerId: string; title: string }): Promise<string> {
  nextChat += 1;
  const chatId = `-10077700${nextChat}`;
  await query(
    `INSERT INTO telegram_chats (chat_id, caller_id, kind, title, checked_at)
     VALUES (?, ?, 'group', ?, 9e15)`,
    chatId,
    callerId,
    title,
  );
  return chatId;
}
