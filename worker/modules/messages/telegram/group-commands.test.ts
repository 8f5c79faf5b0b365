import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { weekStart } from '#schema/rules/calls/recap.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { connectChat, postsIn } from '#test/messages/telegram-chats.ts';
import { postToBot, textUpdate } from '#test/messages/telegram.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

const { WIF, BONK } = MINTS;
/** A valid mint that nobody has called. */
const UNKNOWN = 'StandinUnknownXXXXXXXXXXXXXXXXXXXXXXXXXXXXX';
let app: TestApp;
let caller: Person;
let chatId: number;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
  ({ chatId } = await connectChat({ caller }));
});

let nextPerson = 1;
/** By default, each command is from another member. */
const updateOf = (text: string, chat = chatId, at = app.clock.now(), fromId = nextPerson++) =>
  textUpdate({ chatId: chat, text, type: 'group', at, fromId });
const send = async (text: string, ...where: [chat?: number, at?: number, fromId?: number]) =>
  (await postToBot(app, updateOf(text, ...where)))?.text ?? null;
async function makeEnded(by: Person, mint: string, to = 3) {
  const call = await makeCall({ caller: by, mint, price: 2 });
  await app.advance(20 * MINUTE_MS);
  return endCall({ caller: by, call, price: to });
}

describe('commands in a group', () => {
  it('/stats shows the caller’s public figures', async () => {
    await makeEnded(caller, WIF);
    expect(await send('/stats')).toMatch(
      /\(@\u2060amara_calls\) on SolCallers\n\nAfter the fee: too early to say, 0 of 20 results so far\.\nProven: .*\n1 ranked call: Win Rate 100\.0%, Avg Return .*\n.*\n\nhttps:\S+$/,
    );
    expect(await send(`/stats@${testEnv.TELEGRAM_BOT_USERNAME}`)).toContain('Ended calls: 1');
  });

  it('/first finds a token’s first caller by address or link, and ignores hidden callers', async () => {
    const rival = await createCaller(app, 'rival_calls');
    const first = await makeEnded(rival, WIF);
    await makeEnded(caller, WIF);
    const text = await send(`/first https://jup.ag/swap/SOL-${WIF}`);
    expect(text).toContain('was by');
    expect(text).toContain('(@\u2060rival_calls)');
    expect(text).toContain('Result: +50.0%');
    expect(text?.endsWith(`/call/${first.id}`)).toBe(true);
    await query('UPDATE users SET is_hidden = 1 WHERE id = ?', rival.id);
    expect(await send(`/first ${WIF}`)).toContain('(@\u2060amara_calls)');
    expect(await send('/first')).toContain('Send /first with a token’s address');
  });

  it('/first has the same response and queries for a token with only an active call as for an unknown token', async () => {
    await makeCall({ caller, mint: WIF, price: 2 });
    const statements: string[] = [];
    const DB = interceptDatabase(testEnv.DB, ({ sql }, run) => {
      statements.push(sql);
      return run();
    });
    app = await createTestApp({ bindings: { DB } });
    const responses: string[] = [];
    const runs: string[][] = [];
    for (const mint of [WIF, UNKNOWN, `https://dexscreener.com/solana/${WIF}`]) {
      await app.advance(20 * SECOND_MS);
      statements.length = 0;
      responses.push(JSON.stringify(await postToBot(app, updateOf(`/first ${mint}`))));
      runs.push([...statements]);
    }
    expect(new Set(responses).size).toBe(1);
    expect(responses[0]).toContain('No call on this token has ended yet.');
    expect(runs[0]?.length).toBeGreaterThan(1);
    expect(runs).toEqual(runs.map(() => runs[0]));
    expect(runs[0]?.filter((statement) => /ended_at IS NULL/i.test(statement))).toEqual([]);
  });

  it('/recap posts an image of the last week or month, and ignores a repeated update', async () => {
    await makeEnded(caller, WIF);
    await app.advance(10 * DAY_MS);
    expect(await send('/recap')).toBe('No call has ended in the last 7 days.');
    await app.advance(MINUTE_MS);
    await makeEnded(caller, BONK, 1);
    const update = updateOf('/recap');
    for (const _ of [1, 2]) expect(await postToBot(app, update)).toBeNull();
    expect(await send('/recap month')).toBeNull();
    expect(await postsIn(chatId)).toMatchObject([
      {
        text: expect.stringMatching(
          /^1 call ended in the last 7 days, losses included\. No call is open\.\n[^]*\/caller\/amara_calls$/,
        ),
      },
      { text: expect.stringContaining('2 calls ended in the last 30 days') },
    ]);
    expect(JSON.stringify(await control('GET', `/messages?chatId=${chatId}`))).toContain('1200x675');
  });

  it('a group gets responses to at most six commands a minute', async () => {
    const responded: number[] = [];
    const start = app.clock.now();
    for (let second = 0; second < 180; second += 4) {
      if ((await send('/stats')) !== null) responded.push(app.clock.now() - start);
      await app.advance(4 * SECOND_MS);
    }
    for (const from of responded) {
      expect(responded.filter((at) => at >= from && at < from + MINUTE_MS).length).toBeLessThanOrEqual(6);
    }
    expect(responded.length).toBeGreaterThan(9);
  });

  it('a member who sends many commands can’t use up the group’s limit', async () => {
    const now = app.clock.now();
    const responses = [];
    for (const fromId of [42, 42, 42, 42, 43]) responses.push(await send('/stats', chatId, now, fromId));
    expect(responses.map((text) => text !== null)).toEqual([true, true, false, false, true]);
  });

  it('texts without a group command, unconnected chats, late commands and suspended callers get no response and change nothing', async () => {
    const before = await readDatabase();
    for (const text of [
      '/call WIF',
      '/status',
      '/help',
      '/stop',
      '/update x',
      '/constructor x',
      '/__proto__',
      '/stats@another_bot',
      'hello',
      WIF,
    ]) {
      expect(await send(text), text).toBeNull();
    }
    expect(await send('/stats', -100_555)).toBeNull();
    expect(await send('/stats', chatId, app.clock.now() - MINUTE_MS - SECOND_MS)).toBeNull();
    for (const column of ['is_suspended', 'is_hidden']) {
      await query(`UPDATE users SET ${column} = 1 WHERE id = ?`, caller.id);
      expect(await send('/stats')).toBeNull();
      await query(`UPDATE users SET ${column} = 0 WHERE id = ?`, caller.id);
    }
    expect(await readDatabase()).toEqual(before);
  });
});

describe('scheduled recaps', () => {
  const wantRecap = (chat = chatId) =>
    query('UPDATE telegram_chats SET posts_recap = 1 WHERE chat_id = ?', String(chat));
  const goToMonday = () => app.advance(weekStart(app.clock.now()) + 7 * DAY_MS - app.clock.now());
  /** Chats are checked once an hour. */
  const runJob = async () => {
    await app.advance(HOUR_MS);
    await app.runJobs('chats');
  };

  beforeEach(async () => {
    await goToMonday();
    await app.advance(3 * DAY_MS);
    await makeEnded(caller, WIF);
  });

  it('the weekly recap is posted once per chat on Monday if the caller has switched it on', async () => {
    await goToMonday();
    await runJob();
    expect(await postsIn(chatId)).toEqual([]);
    await wantRecap();
    await runJob();
    await runJob();
    expect(await postsIn(chatId)).toMatchObject([
      { text: expect.stringContaining('1 call ended last week, losses included.') },
    ]);
    await makeEnded(caller, BONK);
    await goToMonday();
    await runJob();
    expect(await postsIn(chatId)).toHaveLength(2);
    await goToMonday();
    await runJob();
    expect(await postsIn(chatId)).toHaveLength(2);
  });

  it('the weekly recap is posted neither before nor after Monday', async () => {
    await wantRecap();
    await runJob();
    expect(await postsIn(chatId)).toEqual([]);
    await goToMonday();
    await app.advance(DAY_MS);
    await runJob();
    expect(await postsIn(chatId)).toEqual([]);
  });

  it('the weekly recap is posted neither in a Paid caller’s public chat nor for a suspended caller', async () => {
    await wantRecap();
    const open = await connectChat({ caller, kind: 'channel', username: 'open_channel' });
    await query('UPDATE telegram_chats SET posts_recap = 1');
    await query('UPDATE users SET is_suspended = 1 WHERE id = ?', caller.id);
    await goToMonday();
    await runJob();
    expect(await postsIn(chatId)).toEqual([]);
    await query('UPDATE users SET is_suspended = 0 WHERE id = ?', caller.id);
    await query('UPDATE telegram_chats SET recap_at = 0');
    await runJob();
    expect(await postsIn(chatId)).toHaveLength(1);
    expect(await postsIn(open.chatId)).toEqual([]);
  });

  it('a weekly recap that could not be posted is not retried, and the other chat gets its recap', async () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const rival = await createCaller(app, 'rival_calls');
    await makeEnded(rival, BONK);
    const other = await connectChat({ caller: rival });
    await query('UPDATE telegram_chats SET posts_recap = 1');
    await goToMonday();
    await control('POST', '/faults', { service: 'telegram', path: '/sendPhoto', status: 502, count: 1 });
    for (const _ of [1, 2]) await runJob();
    const posts = [...(await postsIn(chatId)), ...(await postsIn(other.chatId))];
    expect(posts).toHaveLength(1);
    expect(warnings).toHaveBeenCalledWith(expect.stringContaining('recap.not_posted'));
  });

  it('the weekly recap is posted in ten chats per run, and in the rest with their next check', async () => {
    for (let number = 0; number < 11; number += 1) {
      const each = await createCaller(app, `caller_${number}`);
      await connectChat({ caller: each });
    }
    await query('UPDATE telegram_chats SET posts_recap = 1');
    await goToMonday();
    const left = async () => (await query('SELECT 1 FROM telegram_chats WHERE recap_at = 0')).length;
    await runJob();
    expect(await left()).toBe(2);
    await runJob();
    expect(await left()).toBe(0);
  });
});
