import { expect, inject, it } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { checkTexts, TOKEN_FIELDS } from '#test/access/access-checks.ts';
import {
  createAccessEnvironment,
  HIDDEN_MINT,
  type AccessEnvironment,
  type Viewer,
} from '#test/access/access-environment.ts';
import type { WebhookSamples } from '#schema/contracts/webhooks.ts';
import { query } from '#test/database/database.ts';
import { connectChat, postsIn } from '#test/messages/telegram-chats.ts';
import {
  connectTelegram,
  messagesIn,
  openBotChat,
  postUpdate,
  pressUpdate,
  takeReply,
  textUpdate,
} from '#test/messages/telegram.ts';
import { openWebhook } from '#test/messages/webhooks.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { readResponse } from '#test/responses.ts';
import { control, createTestApp } from '#test/test-app.ts';

/** Handles of the access environment's people. They connect a private chat with the bot. */
const READERS: Partial<Record<Viewer, string>> = {
  'another caller': 'rival',
  'lapsed subscriber': 'lapsed_reader',
  stranger: 'stranger',
  subscriber: 'subscriber',
  owner: 'keeper_of_calls',
  ...(inject('isDeep') && {
    'verified stranger': 'verified_reader',
    'free follower': 'free_follower',
    'former free follower': 'former_follower',
    'buyer with an open payment': 'undecided',
    'subscriber of another caller': 'reader_of_rival',
    operator: 'operator',
  }),
};

const UNKNOWN = 'StandinUnknownXXXXXXXXXXXXXXXXXXXXXXXXXXXXX';

/** A chat on the local Telegram, and the least entitled viewer who reads it. */
interface ReadChat {
  readonly chatId: number;
  readonly viewer: Viewer;
  readonly type: 'private' | 'supergroup';
  /** Commands are sent in this topic of the group. */
  readonly topicId?: number;
}

async function connectEverybody(environment: AccessEnvironment): Promise<ReadChat[]> {
  const { app, owner, freeCaller } = environment;
  const chats: ReadChat[] = [];
  for (const [viewer, handle] of Object.entries(READERS)) {
    const person = await app.signIn(handle);
    const chatId = await connectTelegram(app, person);
    chats.push({ chatId, viewer: viewer as Viewer, type: 'private' });
    if (viewer === 'another caller' || viewer === 'owner') {
      await readResponse(person.patch('/api/user/telegram-calls', { isOn: true }));
    }
  }
  await query('DELETE FROM telegram_chats');
  const rival = await app.signIn('rival');
  for (const [viewer, caller, chat] of [
    ['subscriber', owner, {}],
    ['anonymous', owner, { kind: 'channel', username: 'calls_for_all' }],
    // A Free caller may post into any chat.
    ['free follower', freeCaller, {}],
    ['another caller', rival, {}],
  ] as const) {
    const { chatId } = await connectChat({ caller, ...chat });
    chats.push({ chatId, viewer, type: 'supergroup' });
  }
  await query('UPDATE telegram_chats SET posts_recap = 1');
  return chats;
}

const COMMANDS = [
  `/call ${HIDDEN_MINT}`,
  HIDDEN_MINT,
  `https://dexscreener.com/solana/${HIDDEN_MINT}`,
  `/first ${HIDDEN_MINT}`,
  `/end ${HIDDEN_MINT}`,
  '/update Out.',
  '/calls',
  '/end',
  '/stats',
  '/recap',
  '/recap month',
  '/start',
  '/start unknown',
  '/connect',
  '/help',
  '/stop',
  '/start',
];
/** Commands whose response may name the token, because the command names it. */
const isLookup = (text: string) => text.includes(HIDDEN_MINT) && !/^\/(?:first|end)/.test(text);

// Specification 6.12, 6.25-6.28
it('no message, caption, button or notice on Telegram shows a hidden call to people who may not see it', async () => {
  const environment = await createAccessEnvironment();
  const { app, owner, subject } = environment;
  const { thesis, update: message } = environment.secrets['hidden call'].texts;
  const chats = await connectEverybody(environment);
  const leaks: string[] = [];
  let checks = 0;
  const checking = {
    environment,
    expect(hasPassed: boolean, leak: string) {
      checks += 1;
      if (!hasPassed) leaks.push(leak);
    },
  };
  const respond = async ({ chatId, type, topicId }: ReadChat, text: string) => {
    await query('DELETE FROM attempts');
    const update = textUpdate({ chatId, type, text, at: app.clock.now() });
    const topic = topicId === undefined ? {} : { is_topic_message: true, message_thread_id: topicId };
    return JSON.stringify(await takeReply(app, { ...update, message: { ...update.message, ...topic } }));
  };
  const readAll = async (when: string) => {
    await app.sender.deliver();
    await app.chatSender.deliver();
    for (const { chatId, viewer } of chats) {
      const sent = (await messagesIn(chatId)).filter(({ from }) => from === 'bot');
      checkTexts(checking, { viewer, where: `${viewer}, ${when}`, text: JSON.stringify(sent) });
    }
  };

  const topics = chats
    .filter(({ type }) => type === 'supergroup')
    .map((chat): ReadChat => ({ ...chat, topicId: 7 }));
  for (const chat of [...chats, ...topics]) {
    for (const text of COMMANDS) {
      const response = await respond(chat, text);
      const ignored = isLookup(text) ? [...TOKEN_FIELDS, 'logoURI'] : [];
      const where = `${chat.viewer}: ${text} in a ${chat.topicId ? 'topic' : `${chat.type} chat`}`;
      checkTexts(checking, { viewer: chat.viewer, where, text: response, ignored });
      if (!/^\/(?:first|end) /.test(text) || chat.viewer === 'owner') continue;
      const twin = await respond(chat, text.replace(HIDDEN_MINT, UNKNOWN));
      checking.expect(response === twin, `${where} tells a hidden mint from an unknown one`);
    }
  }
  await readAll('after commands');

  const [ownersChat] = chats.filter(({ viewer }) => viewer === 'owner');
  const card = await openBotChat(app, ownersChat?.chatId ?? 0).send('/end');
  const action = card.buttons[0]?.callback_data ?? '';
  for (const { chatId, viewer } of chats.filter((chat) => chat !== ownersChat)) {
    for (const forged of [action, `o:${subject.hiddenId}:yes`, subject.hiddenId]) {
      const text = JSON.stringify(await takeReply(app, pressUpdate({ chatId, action: forged })));
      checkTexts(checking, { viewer, where: `${viewer} presses ${forged}`, text });
    }
  }

  await readResponse(owner.post('/api/telegram/send-update', { callId: subject.hiddenId, message }));
  await readAll('after an update');
  await control('POST', '/prices', { mint: HIDDEN_MINT, price: 6.5 });
  await app.advance(MINUTE_MS);
  await app.runCron();
  await readAll('after the target was reached');

  const inGroup = JSON.stringify(await messagesIn(chats.find(isGroupOfOwner)?.chatId ?? 0));
  expect(inGroup).toContain(thesis);
  expect(inGroup).toContain(message);
  console.info('CHECKS', checks);
  expect(leaks).toEqual([]);
  expect(checks).toBeGreaterThan(inject('isDeep') ? 11_000 : 8_000);
});

it('no webhook, list of deliveries or sample shows a hidden call to people who may not see it', async () => {
  const environment = await createAccessEnvironment();
  const { app, owner, subject } = environment;
  const { thesis, update: message } = environment.secrets['hidden call'].texts;
  const leaks: string[] = [];
  let checks = 0;
  const checking = {
    environment,
    expect(hasPassed: boolean, leak: string) {
      checks += 1;
      if (!hasPassed) leaks.push(leak);
    },
  };
  const receivers = await Promise.all(
    Object.entries(READERS).map(async ([viewer, handle]) => {
      const person = await app.signIn(handle);
      return { viewer: viewer as Viewer, person, webhook: await openWebhook(app, person) };
    }),
  );
  for (const { viewer, person, webhook } of receivers) {
    const samples = await readResponse<WebhookSamples>(person.post('/api/user/webhook/samples'));
    checking.expect(samples.sent === 6 && samples.status === 204, `${viewer} got ${samples.sent} samples`);
    checking.expect((await webhook.list()).length === 6, `${viewer} received other samples`);
  }
  await readResponse(owner.post('/api/telegram/send-update', { callId: subject.hiddenId, message }));
  await app.webhookSender.deliver();
  for (const { viewer, person, webhook } of receivers) {
    const received = await webhook.list();
    for (const { body } of received) {
      checkTexts(checking, { viewer, where: `a webhook of ${viewer}`, text: body });
    }
    const listed = await (await person.get('/api/user/webhook')).text();
    checkTexts(checking, { viewer: 'anonymous', where: `the deliveries of ${viewer}`, text: listed });
  }
  const ofSubscriber = receivers.find(({ viewer }) => viewer === 'subscriber')?.webhook;
  expect((await ofSubscriber?.types())?.slice(6)).toEqual(['call.ended', 'call.opened', 'call.updated']);
  expect(JSON.stringify(await ofSubscriber?.bodies())).toContain(thesis);
  console.info('CHECKS', checks);
  expect(leaks).toEqual([]);
  expect(checks).toBeGreaterThan(inject('isDeep') ? 2_000 : 1_000);
});

const isGroupOfOwner = ({ viewer, type }: ReadChat) => viewer === 'subscriber' && type !== 'private';

it('of a hidden call, a recap shows only that it is open, and since which day', async () => {
  const app = await createTestApp();
  const { caller } = await createPaidCaller(app, { handle: 'amara_calls' });
  const { chatId } = await connectChat({ caller });
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.advance(20 * MINUTE_MS);
  await endCall({ caller, call, price: 3 });
  const drawn = async () => {
    await query('DELETE FROM attempts');
    const update = textUpdate({ chatId, type: 'supergroup', text: '/recap', at: app.clock.now() });
    await postUpdate(app, update);
    return (await postsIn(chatId)).at(-1);
  };
  const { text: closed, ...before } = (await drawn()) ?? {};
  expect(closed).toContain(' No call is open.');
  await makeCall({ caller, mint: MINTS.BONK, price: 1, thesis: 'Not for everybody.' });
  await control('POST', '/prices', { mint: MINTS.BONK, price: 9 });
  await app.runJobs('prices');
  const { messageId: _, text, ...after } = (await drawn()) ?? {};
  expect(before).toMatchObject({ ...after });
  expect(text?.replace(/1 call is open, since \w+ \d+\./, 'No call is open.')).toBe(closed);
  expect(JSON.stringify(after)).toContain('1200x675');
});
