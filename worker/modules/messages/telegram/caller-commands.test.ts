import { beforeEach, describe, expect, it, vi } from 'vitest';
import { REPEATED_MINT_MS } from '#schema/constants/market.ts';
import { FRESH_SIGN_IN_MS } from '#schema/constants/people.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { createApiKey, sentWith } from '#test/people/api-keys.ts';
import { callBody, createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { query, readDatabase } from '#test/database/database.ts';
import {
  connectTelegram,
  openBotChat,
  postToBot,
  pressStart,
  pressUpdate,
  requestLink,
  textUpdate,
} from '#test/messages/telegram.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

const { WIF, BONK, JUP } = MINTS;
let app: TestApp;
let caller: Person;
let chatId: number;
let chat: ReturnType<typeof openBotChat>;

const change = (isOn: boolean, person = caller) => person.patch('/api/user/telegram-calls', { isOn });
const price = (mint: string, value: number) => control('POST', '/prices', { mint, price: value });
const activeCalls = () =>
  readResponse<TokenCall[]>(caller.get(`/api/token-calls/caller/${caller.id}/active`));
/** The bot's reply to a message. */
const said = async (text: string, at?: number) => (await chat.send(text, at)).text;
const accountOf = () => readResponse<CurrentUser>(caller.get('/api/auth/user'));

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'amara_calls');
  chatId = await connectTelegram(app, caller);
  chat = openBotChat(app, chatId);
  await readResponse(change(true));
  await price(WIF, 2);
});

describe('the switch for calls from the chat', () => {
  it('calls from Telegram can be switched on only after a recent sign-in, and off without one', async () => {
    expect(await accountOf()).toMatchObject({ telegramCalls: true });
    await app.advance(FRESH_SIGN_IN_MS);
    await readResponse(change(false));
    expect(await accountOf()).not.toHaveProperty('telegramCalls');
    await expectRefusal(change(true), 'auth.fresh_sign_in_needed');
    expect(await said(`/call ${WIF}`)).toContain('Calls from this chat are switched off');
  });

  it('calls from Telegram can’t be switched on by people who aren’t callers or have no connected chat', async () => {
    await expectRefusal(change(true, await app.signIn('follower')), 'users.not_a_caller');
    const follower = openBotChat(app, await connectTelegram(app, await app.signIn('follower_x')));
    for (const text of [`/call ${WIF}`, '/stats']) {
      expect((await follower.send(text)).text).toMatch(/^Only callers can do this/);
    }
    const other = await createCaller(app, 'other_calls');
    await expectRefusal(change(true, other), 'telegram.not_connected');
  });

  it('calls from Telegram are switched off after the same or another chat was connected', async () => {
    await app.advance(SECOND_MS);
    const { telegramHandle } = await accountOf();
    await pressStart({ app, chatId, payload: await requestLink(caller, telegramHandle ?? '') });
    expect(await accountOf()).not.toHaveProperty('telegramCalls');
    await readResponse(change(true));
    await app.advance(SECOND_MS);
    const other = openBotChat(app, await connectTelegram(app, caller));
    expect((await other.send('/calls')).text).toContain('switched off');
    expect(await said('/calls')).toContain("isn't connected");
  });
});

describe('opening a call from the chat', () => {
  it('/call shows the token’s price, market cap, safety and ranking, and opens no call before Confirm', async () => {
    const card = await chat.send(`/call ${WIF}`);
    expect(card.text).toContain(`WIF\u2069 (\u2068dogwifhat\u2069)?\n${WIF}`);
    for (const fact of ['Price: $2.0000', 'Market cap: $', 'Mint authority: Disabled', 'would be ranked']) {
      expect(card.text).toContain(fact);
    }
    expect(card.buttons.map(({ text }) => text)).toEqual(['Confirm', 'Cancel']);
    for (const { callback_data } of card.buttons) expect(callback_data?.length).toBeLessThanOrEqual(64);
    expect(await activeCalls()).toEqual([]);
  });

  it('/call refuses a token with an active call, without a Confirm button', async () => {
    await makeCall({ caller, mint: WIF, price: 2 });
    const text = expect.stringContaining('Already Called') as string;
    expect(await chat.send(`/call ${WIF}`)).toMatchObject({ text, buttons: [] });
  });

  it('/call says whether a call would be unranked because its token was called within the last 24 hours', async () => {
    const earlier = await makeCall({ caller, mint: WIF, price: 2 });
    await readResponse(caller.patch(`/api/token-calls/${earlier.id}/end`));
    await app.advance(REPEATED_MINT_MS - MINUTE_MS);
    const card = await chat.send(`/call ${WIF}`);
    expect(card.text).toContain(
      'This call won’t be ranked. The caller had called the same token within the 24',
    );
    expect(card.text).not.toContain('would be ranked');
    await app.advance(MINUTE_MS);
    const later = await chat.send(`/call ${WIF}`);
    expect(later.text).toContain('would be ranked');
    await chat.press(later, 'Confirm');
    expect(await activeCalls()).toMatchObject([{ unrankedReason: null }]);
  });

  it('/call promises a ranked call only if two sources have a price', async () => {
    const card = await chat.send(`/call ${WIF}`);
    expect(card.text).toContain('would be ranked if two price sources have a usable price');
    await control('POST', '/prices', { mint: WIF, source: 'dexscreener', price: null });
    expect((await chat.press(card, 'Confirm'))?.text).toContain('It’s unranked: Only one price source');
  });

  it.each([
    [WIF, 'dogwifhat'],
    [`/call https://jup.ag/swap/SOL-${WIF}`, 'dogwifhat'],
    [`/call ${MINTS.THIN}`, 'This call won’t be ranked. The token is a micro-cap'],
    ['/call', 'Send /call with a token’s address'],
    [`/call ${'1'.repeat(32)}`, 'Token not found'],
    [`/call ${MINTS.NO_PRICE}`, 'Failed to fetch current price for token call'],
  ])('the bot replies to %j with “%s”', async (text, reply) => {
    expect(await said(text)).toContain(reply);
  });

  it('/call reads a link to DexScreener with a pool’s address in lower case', async () => {
    const pair = (address = '') => said(`https://dexscreener.com/solana/${address}`);
    expect(await pair((await fetchPools())[0]?.toLowerCase())).toContain(WIF);
    expect(await pair('x'.repeat(40))).toBe('Token not found');
  });

  it('/call opens one call at a price fetched after Confirm, and marks the call as made on Telegram', async () => {
    const card = await chat.send(`/call ${WIF}`);
    await price(WIF, 2.02);
    await app.advance(20 * SECOND_MS);
    const reply = await chat.press(card, 'Confirm');
    const [call] = await activeCalls();
    expect(call).toMatchObject({ tokenMint: WIF, entryPrice: '2.02' });
    expect(reply).toMatchObject({
      text: expect.stringContaining('Token Call Created'),
      buttons: [{ text: 'Open', url: `https://solcallers.test/call/${call?.id}` }],
      replaces: 5,
    });
    expect(await readResponse<CallDetail>(caller.get(`/api/token-calls/${call?.id}`))).toMatchObject({
      madeOn: 'telegram',
    });
    const before = await readDatabase();
    expect(await chat.press(card, 'Confirm')).toBeNull();
    expect(await readDatabase()).toEqual(before);
  });

  it('/call asks for another confirmation if the price has moved by over 3%, and then uses the new price', async () => {
    const card = await chat.send(`/call ${WIF}`);
    await price(WIF, 2.2);
    const again = await chat.press(card, 'Confirm');
    expect(again?.text).toContain(
      'WIF\u2069 (\u2068dogwifhat\u2069): The price has moved by over 3% and is now $2.2000. Nothing was recorded.',
    );
    expect(await activeCalls()).toEqual([]);
    expect(await chat.press(card, 'Confirm')).toBeNull();
    if (again === null) throw new Error('No card');
    await chat.press(again, 'Call at the new price');
    expect(await activeCalls()).toMatchObject([{ entryPrice: '2.2' }]);
  });

  it('/call opens only one call if Confirm is pressed three times simultaneously', async () => {
    const card = await chat.send(`/call ${WIF}`);
    const replies = await Promise.all([1, 2, 3].map(() => chat.press(card, 'Confirm')));
    expect(replies.filter((reply) => reply !== null)).toHaveLength(1);
    expect(await activeCalls()).toHaveLength(1);
  });

  it('/call opens nothing after Cancel, after a minute, or from an older card', async () => {
    const first = await chat.send(`/call ${WIF}`);
    const second = await chat.send(`/call ${WIF}`);
    expect(await chat.press(first, 'Confirm')).toBeNull();
    expect((await chat.press(second, 'Cancel'))?.text).toBe('Cancelled. Nothing was recorded.');
    expect(await chat.press(second, 'Confirm')).toBeNull();
    const third = await chat.send(`/call ${WIF}`);
    await app.advance(MINUTE_MS);
    expect(await chat.press(third, 'Confirm')).toBeNull();
    expect(await activeCalls()).toEqual([]);
  });

  it('/call refuses lookups beyond the site’s limit', async () => {
    for (let count = 0; count < 30; count += 1) await chat.send(`/call ${WIF}`);
    expect(await said(`/call ${WIF}`)).toContain('Too many requests at once');
  });
});

describe('old, forwarded and foreign actions', () => {
  const expectNothing = async (update: unknown) => {
    const before = await readDatabase();
    await postToBot(app, update);
    expect(await readDatabase()).toEqual(before);
  };

  it('a command that arrives over a minute late is refused', async () => {
    const at = app.clock.now();
    await app.advance(MINUTE_MS + SECOND_MS);
    for (const text of [`/call ${WIF}`, WIF, '/update Sold.', '/end', '/calls', '/stats']) {
      expect(await said(text, at), text).toContain('Send it again.');
    }
  });

  it('a forwarded /call and a /call via another bot do nothing', async () => {
    const { message, ...update } = textUpdate({ chatId, text: `/call ${WIF}`, at: app.clock.now() });
    await expectNothing({ ...update, message: { ...message, forward_origin: { type: 'user' } } });
    await expectNothing({ ...update, message: { ...message, via_bot: { id: 3 } } });
  });

  it('a button of another person’s card and an invented action do nothing', async () => {
    const card = await chat.send(`/call ${WIF}`);
    const action = card.buttons[0]?.callback_data ?? '';
    const rival = await createCaller(app, 'rival_calls');
    const rivalChat = await connectTelegram(app, rival);
    await readResponse(change(true, rival));
    await expectNothing(pressUpdate({ chatId: rivalChat, action }));
    await expectNothing(pressUpdate({ chatId, action: `o:${'x'.repeat(43)}:yes` }));
    await expectNothing(pressUpdate({ chatId, action: 'anything' }));
    expect(await activeCalls()).toEqual([]);
  });

  it('a press on a button that is unknown, used or without its message says so', async () => {
    const card = await chat.send(`/call ${WIF}`);
    const used = pressUpdate({ chatId, action: card.buttons[1]?.callback_data ?? '' });
    const { message: _message, ...withoutMessage } = used.callback_query;
    await postToBot(app, used);
    const { fetch } = globalThis;
    const shown: unknown[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
      if (String(url).endsWith('/answerCallbackQuery')) shown.push(JSON.parse(String(init?.body)));
      return fetch(url, init);
    });
    const updates = [
      pressUpdate({ chatId, action: 'x' }),
      used,
      { update_id: 4, callback_query: withoutMessage },
    ];
    for (const update of updates) expect(await postToBot(app, update)).toBeNull();
    const text = expect.stringContaining('This button was used or is too old.') as string;
    expect(shown).toEqual(updates.map(() => ({ callback_query_id: '77', text })));
  });

  it('the buttons of a card do nothing after calls were switched off or the chat was disconnected', async () => {
    const first = await chat.send(`/call ${WIF}`);
    await readResponse(change(false));
    expect(await chat.press(first, 'Confirm')).toBeNull();
    await readResponse(change(true));
    const second = await chat.send(`/call ${WIF}`);
    await chat.send('/stop');
    expect(await chat.press(second, 'Confirm')).toBeNull();
    expect(await activeCalls()).toEqual([]);
  });

  it('in a chat without an account, /call says that the chat isn’t connected', async () => {
    const stranger = openBotChat(app, 4_242);
    expect((await stranger.send(`/call ${WIF}`)).text).toContain("isn't connected to a SolCallers account");
    expect((await stranger.send(WIF)).text).toContain('This is the SolCallers bot.');
  });
});

describe('active calls in the chat', () => {
  let call: TokenCall;
  beforeEach(async () => {
    call = await makeCall({ caller, mint: WIF, price: 2 });
  });
  const updates = () => query('SELECT call_id, message FROM call_updates');

  it('/update saves the text as an update of the only active call, and saves a repeated text only once', async () => {
    for (const _ of [1, 2]) {
      expect(await said('/update Half sold.\nStop at 1.')).toBe(
        'Update on \u2068WIF\u2069 saved. Nobody gets it on Telegram yet.',
      );
    }
    expect(await updates()).toEqual([{ call_id: call.id, message: 'Half sold.\nStop at 1.' }]);
    expect(await said('/update')).toContain('Write your update after the command');
  });

  it('with several active calls, /update must begin with a token’s symbol', async () => {
    const other = await makeCall({ caller, mint: BONK, price: 1 });
    for (const text of ['Half sold.', 'BONKED half.', 'Half of BONK sold.']) {
      expect(await said(`/update ${text}`), text).toContain('Nothing was sent.');
    }
    await chat.send('/update $bonk half sold.');
    expect(await updates()).toEqual([{ call_id: other.id, message: 'half sold.' }]);
  });

  it('/update may name the only active call, and needs a text after the name', async () => {
    for (const text of ['WIF', '$wif', WIF]) {
      expect(await said(`/update ${text}`), text).toContain('Write your update after the symbol');
    }
    expect(await updates()).toEqual([]);
    await chat.send('/update $wif hello');
    expect(await updates()).toEqual([{ call_id: call.id, message: 'hello' }]);
  });

  it('/update that begins with a token without an active call is refused', async () => {
    const ended = await makeCall({ caller, mint: BONK, price: 1 });
    await readResponse(caller.patch(`/api/token-calls/${ended.id}/end`));
    for (const word of ['BONK', '$bonk', 'bonk:', BONK, '$JUP', JUP]) {
      const { text } = await chat.send(`/update ${word} sold half of it`);
      expect(text, word).toContain('You have no active call on');
      expect(text, word).toContain('Nothing was sent.');
    }
    expect(await updates()).toEqual([]);
    await chat.send('/update WIF Bonk is out.');
    expect(await updates()).toEqual([{ call_id: call.id, message: 'Bonk is out.' }]);
  });

  it('/end shows prices and a warning, and ends the call at a price fetched after Confirm', async () => {
    await app.advance(5 * MINUTE_MS);
    const card = await chat.send('/end');
    expect(card.text).toMatch(/Entry price: \$2\.0000\nCurrent price: .*\nChange: /);
    expect(card.text).toContain('A gain doesn’t count yet.');
    await price(WIF, 1.99);
    const reply = await chat.press(card, 'Confirm');
    expect(reply?.text).toContain('ended at $1.9900, -0.5%.');
    expect(await chat.press(card, 'Confirm')).toBeNull();
    expect(await activeCalls()).toEqual([]);
  });

  it('/end asks for another confirmation if the price has moved, and if the gain would not count', async () => {
    const card = await chat.send('/end wif');
    await price(WIF, 3);
    const moved = (await chat.press(card, 'Confirm')) ?? card;
    expect(moved.text).toContain(
      'The call is still active. The price has moved by over 3% and is now $3.0000.',
    );
    const uncounted = (await chat.press(moved, 'End at the new price')) ?? card;
    expect(uncounted.text).toContain('The gain of +50.0% would count as 0%');
    expect(await activeCalls()).toHaveLength(1);
    expect((await chat.press(uncounted, 'End anyway'))?.text).toContain(
      '+50.0%. The gain counts as 0% in all figures.',
    );
    expect(await activeCalls()).toEqual([]);
  });

  it('with several active calls, /end must name the token', async () => {
    await makeCall({ caller, mint: JUP, price: 1 });
    expect(await chat.send('/end')).toMatchObject({
      text: expect.stringContaining('You have several active calls.'),
      buttons: [],
    });
    const card = await chat.send('/end $jup');
    expect(card.text).toContain('End your \u2068JUP\u2069 call?');
    expect((await chat.press(card, 'Keep it active'))?.text).toBe('The call is still active.');
    expect(await said(`/end ${WIF}`)).toContain('End your \u2068WIF\u2069 call?');
    expect(await said('/end BONK')).toContain('no active call on that token');
    expect(await activeCalls()).toHaveLength(2);
  });

  it('/calls lists the active calls, and /stats the public figures', async () => {
    expect(await said('/calls')).toMatch(
      /^1 active call\n\n\u2068WIF\u2069: .*\nOpened just now at \$2\.0000, now /,
    );
    expect(await said('/stats')).toContain(
      '(@\u2060amara_calls) on SolCallers\n\nAfter the fee: too early to say, 0 of 20 results so far.\nProven: ',
    );
    await chat.press(await chat.send('/end'), 'Confirm');
    for (const text of ['/calls', '/end', '/update Sold.']) {
      expect(await said(text)).toContain('You have no active calls.');
    }
  });
});

it('the details of a call say whether the call was made on the site or with an API key', async () => {
  const onSite = await makeCall({ caller, mint: WIF, price: 2 });
  const { key } = await createApiKey(app, caller);
  await price(JUP, 1);
  const body = callBody({ caller, mint: JUP, entryPrice: '1', symbol: 'JUP' });
  const request = { method: 'POST', headers: sentWith(key), body };
  const byProgram = await readResponse<TokenCall>(app.request('/api/token-calls', request), 201);
  const madeOn = async ({ id }: TokenCall) =>
    (await readResponse<CallDetail>(caller.get(`/api/token-calls/${id}`))).madeOn;
  expect([await madeOn(onSite), await madeOn(byProgram)]).toEqual(['site', 'api']);
});

/** The addresses of WIF's pools at the local DexScreener. */
async function fetchPools(): Promise<string[]> {
  const { DEXSCREENER_URL } = testEnv as unknown as { readonly DEXSCREENER_URL: string };
  const response = await fetch(`${DEXSCREENER_URL}/token-pairs/v1/solana/${WIF}`);
  const pairs = await response.json<{ pairAddress: string; baseToken: { address: string } }[]>();
  return pairs.filter(({ baseToken }) => baseToken.address === WIF).map(({ pairAddress }) => pairAddress);
}
