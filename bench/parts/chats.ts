import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import { findDatabase } from '#dev/local/data-folder.ts';
import { tokens } from '#dev/stand-ins/market/tokens.ts';
import { productVars } from '#dev/local/product-vars.ts';
import { localBot } from '#dev/stand-ins/telegram/local-bot.ts';
import { registerWebhook } from '#dev/telegram/register-webhook.ts';
import type { Part } from '../context.ts';
import { createClient, readJson } from '../load/client.ts';
import { becomeCaller, type Person } from '../load/people.ts';
import { percentile, summarize } from '../results.ts';

const MAX_WAIT_MS = 2 * SECOND_MS;
const FOREIGN_PER_MINUTE = 1_000;
const BETWEEN_CALLS_MS = 6 * SECOND_MS;
const POLL_MS = 50;
/** The median of `/first` may differ between a hidden and an unknown mint by this share. */
const MAX_DIFFERENCE = 0.1;
const AT_ONCE = 40;
/** The webhook handles 60 commands of a chat per minute, and drops others. */
const PAIRS_PER_MINUTE = 28;
const UNKNOWN_TOKEN = 'No call on this token has ended yet.';
/** The people of the load have smaller numbers. */
const FREE_CALLERS = [5_000, 5_005] as const;

const SIZES = { members: 10_000, followers: 10_000, calls: 10, questions: 300 };
const TINY_SIZES: typeof SIZES = { members: 20, followers: 20, calls: 1, questions: 5 };

/**
 * Posts calls into a group of 10,000 while 10,000 private messages of another caller are being sent and foreign messages
 * arrive, on the local runtime in real time. Then compares the times of `/first` for an active call's mint and for a
 * mint that nobody has called.
 */
export const measureChats: Part = async ({ openLocal, options }) => {
  const sizes = options.isTiny ? TINY_SIZES : SIZES;
  const { productUrl, environment, dataDir } = await openLocal();
  const { standInsUrl } = environment;
  const vars = productVars({ productUrl, environment });
  const violations: string[] = [];
  const client = createClient({
    productUrl,
    standInsUrl,
    nextSlot: () => Promise.resolve(),
    report: (violation) => violations.push(violation),
    inspect: () => undefined,
  });
  const database = new DatabaseSync(findDatabase(join(dataDir, 'state')), { timeout: 10 * SECOND_MS });
  const control = async <Body>(path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${standInsUrl}/_control${path}`, {
      ...(body && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Body;
  };
  const post = async <Body>(viewer: Person, path: string, body: object): Promise<Body> => {
    const reply = await client.send({ kind: 'set-up', method: 'POST', path, body, viewer });
    const read = readJson<Body>(reply);
    if (read === null) throw new Error(`${path} responded ${reply.text}`);
    return read;
  };

  const called = new Set(
    database
      .prepare('SELECT DISTINCT token_mint AS mint FROM calls')
      .all()
      .map(({ mint }) => mint),
  );
  const sold = tokens.filter(({ symbol, liquidityUsd }) => symbol !== 'SOL' && liquidityUsd > 100_000);
  const [hidden, unknown] = sold.filter(({ mint }) => !called.has(mint));
  if (!hidden || !unknown) throw new Error('Every token has been called.');
  const others = sold.filter(({ isReal }) => isReal);

  const call = async (viewer: Person, token = hidden): Promise<TokenCall> => {
    const { mint, symbol, name } = token;
    const looked = await client.send({ kind: 'set-up', path: `/api/tokens/${mint}`, viewer });
    const { price: entryPrice } = readJson<TokenLookup>(looked) ?? {};
    const body = { tokenMint: mint, tokenSymbol: symbol, tokenName: name, entryPrice, callerId: viewer.id };
    return post(viewer, '/api/token-calls', body);
  };

  console.log(`Creating ${sizes.followers} followers and a group of ${sizes.members}...`);
  const [loud, caller] = [
    await becomeCaller({ client, environment }, FREE_CALLERS[0]),
    await becomeCaller({ client, environment }, FREE_CALLERS[1]),
  ];
  await stopUpdates(vars);
  const followers: number[] = [];
  for (let from = 0; from < sizes.followers; from += AT_ONCE) {
    const started = Array.from({ length: Math.min(AT_ONCE, sizes.followers - from) }, (_, index) =>
      control<{ chatId: number }>('/telegram/start', { handle: `bench_follower_${from + index}` }),
    );
    followers.push(...(await Promise.all(started)).map(({ chatId }) => chatId));
  }
  const owner = 'bench_chat_owner';
  const { id: chatId } = await control<{ id: number }>('/telegram/chats', {
    as: owner,
    type: 'supergroup',
    title: 'Bench',
    members: Array.from({ length: sizes.members }, (_, index) => `bench_member_${index}`),
  });
  await control('/telegram/act', { action: 'promote', as: owner, chatId, user: localBot.username });
  await stopUpdates(vars);
  await registerWebhook({ productUrl, vars });
  insertFollowers(database, { callerId: loud.id, chatIds: followers });
  database
    .prepare(
      `INSERT INTO telegram_chats (chat_id, caller_id, kind, title, checked_at)
       VALUES (?, ?, 'group', 'Bench', 0)`,
    )
    .run(String(chatId), caller.id);

  await call(loud);
  const messages = async () => control<{ chatId: number; text: string }[]>('/messages');
  const isPrivate = new Set(followers);
  const countPrivate = async () => (await messages()).filter((each) => isPrivate.has(each.chatId)).length;
  const before = await countPrivate();
  const foreign = { sent: 0, isOver: false };
  const chatter = async () => {
    while (!foreign.isOver) {
      const next = pause(MINUTE_MS / FOREIGN_PER_MINUTE);
      await control('/telegram/act', { action: 'write', as: 'bench_member_1', chatId, text: 'gm' });
      foreign.sent += 1;
      await next;
    }
  };
  const waits: number[] = [];
  const sends: number[] = [];
  const callOften = async () => {
    for (const token of others.slice(0, sizes.calls)) {
      const calledAt = performance.now();
      const { id } = await call(caller, token);
      const doneAt = performance.now();
      sends.push(doneAt - calledAt);
      waits.push((await waitForPost({ control, chatId, id })) - doneAt);
      await pause(options.isTiny ? 0 : BETWEEN_CALLS_MS);
    }
    foreign.isOver = true;
  };
  await Promise.all([chatter(), callOften()]);
  const sentPrivately = (await countPrivate()) - before;

  await control('/telegram/limits', { isEnforced: false });
  const ask = createQuestion({ productUrl, vars, database, chatId });
  const [ofHidden, ofUnknown]: [number[], number[]] = [[], []];
  for (let number = 0; number < sizes.questions; number += 1) {
    if (number > 0 && number % PAIRS_PER_MINUTE === 0) await pause(MINUTE_MS);
    const asked = [
      async () => ofHidden.push(await ask(hidden.mint)),
      async () => ofUnknown.push(await ask(unknown.mint)),
    ];
    for (const run of number % 2 === 0 ? asked : asked.toReversed()) await run();
  }
  database.close();
  const replies = (await messages()).filter(({ text }) => text === UNKNOWN_TOKEN);
  if (replies.length !== 2 * sizes.questions) {
    throw new Error(`/first was replied to ${replies.length} times.`);
  }
  const ratio = percentile(ofHidden, 0.5) / percentile(ofUnknown, 0.5);
  const slowest = Math.max(...waits);
  return [
    {
      what: 'a post is in the group, after the call',
      value: summarize(waits),
      unit: 'ms',
      goal: `≤ ${MAX_WAIT_MS}`,
      isMet: slowest <= MAX_WAIT_MS,
    },
    { what: 'the call itself', value: summarize(sends), unit: 'ms' },
    { what: 'private messages meanwhile', value: summarize([sentPrivately]), unit: '' },
    { what: 'foreign messages meanwhile', value: summarize([foreign.sent]), unit: '' },
    { what: '/first for an active call’s mint', value: summarize(ofHidden), unit: 'ms' },
    { what: '/first for an unknown mint', value: summarize(ofUnknown), unit: 'ms' },
    {
      what: 'ratio of their medians',
      value: summarize([ratio]),
      unit: '×',
      goal: `within ${MAX_DIFFERENCE} of 1`,
      isMet: Math.abs(ratio - 1) <= MAX_DIFFERENCE,
    },
    {
      what: 'violations',
      value: summarize([violations.length]),
      unit: '',
      goal: '0',
      isMet: violations.length === 0,
    },
  ];
};

/** Deletes the webhook and drops waiting updates, so that the product gets no updates during the set-up. */
async function stopUpdates(vars: Readonly<Record<string, string>>): Promise<void> {
  const { TELEGRAM_API_URL: url, TELEGRAM_BOT_TOKEN: token } = vars;
  await fetch(`${url}/bot${token}/deleteWebhook?drop_pending_updates=true`);
}

/** Inserts connected followers of a Free caller. */
function insertFollowers(
  database: DatabaseSync,
  { callerId, chatIds }: { callerId: string; chatIds: readonly number[] },
): void {
  const user = database.prepare(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
     VALUES (?1, ?1, ?1, 'F', '', 0, 0)`,
  );
  const link = database.prepare(
    'INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at) VALUES (?1, ?1, ?2, 0, 0)',
  );
  const subscription = database.prepare(
    `INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
     VALUES (?1, ?1, ?2, 0, 9e15, 'active', 0)`,
  );
  database.exec('BEGIN IMMEDIATE');
  chatIds.forEach((chatId, index) => {
    const id = `bench_follower_${index}`;
    user.run(id);
    link.run(id, String(chatId));
    subscription.run(id, callerId);
  });
  database.exec('COMMIT');
}

/** Returns the time when the call's post is in the chat. */
async function waitForPost({
  control,
  chatId,
  id,
}: {
  control: <Body>(path: string) => Promise<Body>;
  chatId: number;
  id: string;
}): Promise<number> {
  const latest = performance.now() + 30 * SECOND_MS;
  while (performance.now() < latest) {
    const posted = JSON.stringify(await control<object[]>(`/messages?chatId=${chatId}`));
    if (posted.includes(`/call/${id}`)) return performance.now();
    await pause(POLL_MS);
  }
  throw new Error('The call was not posted');
}

/** Returns a function that posts `/first` to the webhook and returns the ms until the response. */
function createQuestion({
  productUrl,
  vars,
  database,
  chatId,
}: {
  productUrl: string;
  vars: Readonly<Record<string, string>>;
  database: DatabaseSync;
  chatId: number;
}) {
  const from = { id: 1, is_bot: false, first_name: 'Bench' };
  let updateId = 900_000_000;
  return async (mint: string): Promise<number> => {
    database.prepare("DELETE FROM attempts WHERE action LIKE 'chat.%'").run();
    updateId += 1;
    const message = {
      message_id: updateId,
      date: Math.floor(Date.now() / SECOND_MS),
      from,
      chat: { id: chatId, type: 'supergroup', title: 'Bench' },
      text: `/first ${mint}`,
      entities: [{ type: 'bot_command', offset: 0, length: 6 }],
    };
    const startedAt = performance.now();
    const response = await fetch(`${productUrl}/api/telegram/webhook`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Telegram-Bot-Api-Secret-Token': vars['TELEGRAM_WEBHOOK_SECRET'] ?? '',
      },
      body: JSON.stringify({ update_id: updateId, message }),
    });
    if (!response.ok) throw new Error(`/first responded ${await response.text()}`);
    return performance.now() - startedAt;
  };
}
