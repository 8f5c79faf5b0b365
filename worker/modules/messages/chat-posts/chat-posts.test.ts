import { beforeEach, describe, expect, it } from 'vitest';
import { UPDATE_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { callEvent } from '#test/messages/call-event.ts';
import { BOT, connectChat, postsIn, type TestChat } from '#test/messages/telegram-chats.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { act as moderateAs, createOperatedApp } from '#test/people/operators.ts';
import { readResponse } from '#test/responses.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
});

const open = (texts: object = {}) => makeCall({ caller, mint: MINTS.WIF, price: 2, ...texts });
const update = (callId: string, message: string) =>
  readResponse(caller.post('/api/telegram/send-update', { callId, message }));
const deliver = () => app.chatSender.deliver();
/** Sends the queued posts, then the queued private messages. */
const deliverAll = async () => {
  await deliver();
  await app.sender.deliver();
};
const openPosted = async () => {
  const call = await open();
  await deliver();
  return call;
};
const unconfirm = ({ chatId }: TestChat) =>
  query('UPDATE telegram_chats SET paid_since = NULL WHERE chat_id = ?', String(chatId));
const deletePost = async ({ chatId, act }: TestChat) => {
  const [post] = await postsIn(chatId);
  await act('delete-message', { messageId: post?.messageId });
};
/** The calls' own messages, without the replies to them. */
const callsIn = async (chatId: number) => (await postsIn(chatId)).filter(({ buttons }) => buttons.length > 0);
const repliesIn = async (chatId: number) =>
  (await postsIn(chatId)).filter(({ buttons }) => buttons.length === 0);
const textsIn = async (chatId: number) => (await callsIn(chatId)).map(({ text }) => text);
const replyTextsIn = async (chatId: number) => (await repliesIn(chatId)).map(({ text }) => text);

it('a call is one post in each of the caller’s chats, and the post is edited for each update and the end of the call', async () => {
  const chats = [await connectChat({ caller }), await connectChat({ caller, kind: 'channel' })];
  const call = await open({ thesis: 'Cats rule.', targetPrice: '3' });
  await deliver();
  for (const { chatId } of chats) {
    const [post] = await postsIn(chatId);
    expect(post?.text).toContain('Call: ');
    expect(post?.text).toContain(`Token: ${MINTS.WIF}`);
    expect(post?.text).toContain(', market cap $2.0B\nTarget: $3.0000\nSafety: no risks found');
    expect(post?.text).toContain('Cats rule.');
    expect(post?.isProtected).toBe(true);
    expect(post?.buttons).toEqual([
      { text: 'Buy', url: expect.stringContaining(MINTS.WIF) },
      { text: 'Copy address', copy: MINTS.WIF },
      { text: 'Open', url: `https://solcallers.test/call/${call.id}` },
      { text: 'Subscribe', url: `https://solcallers.test/caller/${caller.id}#subscribe` },
    ]);
  }
  await update(call.id, 'Take half off.');
  await deliver();
  await endCall({ caller, call, price: 3 });
  await deliver();
  for (const { chatId } of chats) {
    const [post, ...others] = await callsIn(chatId);
    expect(others).toEqual([]);
    expect(post?.text).toMatch(/^Call ended: [^]*Result: \+50\.0%[^]*UTC:\nTake half off\./);
    expect(post?.buttons.map(({ text }) => text)).toEqual(['Copy address', 'Open', 'Subscribe']);
    const replies = await repliesIn(chatId);
    expect(replies.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Update on .*WIF.*:\nTake half off\.$/),
      expect.stringMatching(/^Call ended: .*WIF.*\nResult: \+50\.0% · End: \$3\.0000 · Held: Under 1m$/),
    ]);
    for (const reply of replies) expect(reply).toMatchObject({ isProtected: true, replyTo: post?.messageId });
  }
});

describe('replies', () => {
  it('an update with the maximum length is in one reply, whole', async () => {
    const { chatId } = await connectChat({ caller });
    const call = await openPosted();
    const message = 'ab '.repeat(UPDATE_MESSAGE_MAX_LENGTH / 3).trim();
    await update(call.id, message);
    await deliver();
    expect(await replyTextsIn(chatId)).toEqual([expect.stringContaining(message)]);
    expect(await textsIn(chatId)).toEqual([expect.stringContaining('All updates are on the call’s page.')]);
  });

  it('an event that the call’s new message contains gets no reply', async () => {
    const { chatId } = await connectChat({ caller });
    const call = await open();
    await update(call.id, 'First.');
    await deliver();
    expect(await replyTextsIn(chatId)).toEqual([]);
    await update(call.id, 'Second.');
    await deliver();
    expect(await replyTextsIn(chatId)).toEqual([expect.stringContaining('Second.')]);
  });

  it('a target that is hit is a reply, too', async () => {
    const { chatId } = await connectChat({ caller });
    const call = await open({ targetPrice: '3' });
    await deliver();
    await query(
      `INSERT INTO call_events (id, kind, call_id, caller_id, level, price, at)
      VALUES (?1, 'level_hit', ?2, ?3, 'target', '3.1', ?4)`,
      `level_hit:${call.id}:target`,
      call.id,
      caller.id,
      app.clock.now(),
    );
    await app.chatSender.add(callEvent(`level_hit:${call.id}:target`, caller.id));
    await deliver();
    expect(await replyTextsIn(chatId)).toEqual([
      expect.stringMatching(/^Target hit: .*\nPrice: \$3\.1000 \(\+55\.0%\)\. The call is still active\.$/),
    ]);
  });

  /** Three calls that are posted, over a minute ago. */
  const openThree = async () => {
    const calls: TokenCall[] = [];
    for (const mint of [MINTS.WIF, MINTS.BONK, MINTS.JUP]) {
      calls.push(await makeCall({ caller, mint, price: 2 }));
    }
    await deliver();
    await app.advance(2 * MINUTE_MS);
    return calls;
  };
  const updateTenTimes = async (calls: readonly TokenCall[], afterEach: () => Promise<unknown>) => {
    for (let number = 1; number <= 10; number += 1) {
      await update(calls[number % 3]?.id ?? '', `Update ${number}.`);
      await afterEach();
    }
  };
  const endAll = async (calls: readonly TokenCall[]) => {
    for (const call of calls) await endCall({ caller, call, price: 3 });
    while ((await deliver()).length > 0) await app.advance(MINUTE_MS);
  };
  const eventsIn = (text: string) => text.match(/Update \d+\.|Call ended/g)?.length;
  const isComplete = async (chatId: number) =>
    expect(
      (await textsIn(chatId)).map((text) => [text.slice(0, 10), text.match(/Update \d+\./g)?.length]),
    ).toEqual([
      ['Call ended', 3],
      ['Call ended', 4],
      ['Call ended', 3],
    ]);

  it('more than ten events at once become one reply, and each call’s message shows its state', async () => {
    const { chatId } = await connectChat({ caller });
    const calls = await openThree();
    await updateTenTimes(calls, () => app.advance(1));
    await endAll(calls);
    expect((await replyTextsIn(chatId)).map(eventsIn)).toEqual([13]);
    await isComplete(chatId);
  });

  it('the events after the tenth in a minute become one reply', async () => {
    const { chatId } = await connectChat({ caller });
    const calls = await openThree();
    await updateTenTimes(calls, deliver);
    await endAll(calls);
    expect((await replyTextsIn(chatId)).map(eventsIn)).toEqual([...Array.from({ length: 10 }, () => 1), 3]);
    await isComplete(chatId);
  });

  it('a chat that may get no posts gets none of the waiting events later, but its followers do, in private', async () => {
    const follower = await app.signIn('follower');
    const pair = { subscriber_id: follower.id, caller_id: caller.id };
    await insertRows('subscriptions', [{ id: 's', ...pair, ends_at: Number.MAX_SAFE_INTEGER }]);
    const privateChat = await connectTelegram(app, follower);
    const chat = await connectChat({ caller });
    await insertRows('chat_members', [{ chat_id: String(chat.chatId), person_id: String(privateChat) }]);
    const call = await openPosted();
    await app.advance(2 * MINUTE_MS);
    await control('POST', '/faults', { service: 'telegram', path: 'sendMessage', status: 429, count: 1 });
    for (const message of ['One.', 'Two.']) {
      await update(call.id, message);
      await deliver();
      await app.sender.deliver();
    }
    await chat.act('change-chat', { username: 'open_for_now' });
    await app.advance(MINUTE_MS);
    await deliver();
    await chat.act('change-chat', { username: '' });
    await app.advance(2 * MINUTE_MS);
    await deliverAll();
    expect(await replyTextsIn(chat.chatId)).toEqual([]);
    const texts = (await writtenTo(privateChat)).map((text) => /One|Two/.exec(text)?.[0]);
    expect(texts.filter((text) => text !== undefined)).toEqual(['One', 'Two']);
  });
});

it('a Free caller’s post may be in a public chat, without forwarding protection or Subscribe button', async () => {
  const free = await createCaller(app, 'free_calls');
  const { chatId } = await connectChat({ caller: free, username: 'free_calls_group' });
  await makeCall({ caller: free, mint: MINTS.JUP, price: 1 });
  await deliver();
  const [post] = await postsIn(chatId);
  expect(post).toMatchObject({
    isProtected: false,
    buttons: [{ text: 'Buy' }, { text: 'Copy address' }, { text: 'Open' }],
  });
});

it.each([
  ['in order', 'ASC'],
  ['in reverse', 'DESC'],
])('the events of a call are combined in one post if they arrive %s', async (_order, order) => {
  const { chatId } = await connectChat({ caller });
  app.chatSender.failAfter(0);
  const call = await open();
  await update(call.id, 'First.');
  await endCall({ caller, call, price: 3 });
  for (const { id } of await query<{ id: string }>(
    `SELECT id FROM call_events ORDER BY kind = 'call_ended' ${order}, kind = 'call_update' ${order}`,
  )) {
    await app.chatSender.add(callEvent(id, caller.id));
    await deliver();
  }
  expect(await textsIn(chatId)).toEqual([expect.stringMatching(/^Call ended: [^]*\nFirst\./)]);
});

it('a call’s message that was deleted in the chat is not posted again, and updates name the token', async () => {
  const chat = await connectChat({ caller });
  const call = await openPosted();
  await deletePost(chat);
  for (const message of ['One.', 'Two.']) {
    await update(call.id, message);
    await deliver();
  }
  expect(await textsIn(chat.chatId)).toEqual([]);
  expect(await replyTextsIn(chat.chatId)).toEqual([
    expect.stringMatching(/^Update on .*WIF.*\nOne\.$/),
    expect.stringMatching(/^Update on .*WIF.*\nTwo\.$/),
  ]);
  expect(await query('SELECT message_id FROM chat_posts')).toEqual([{ message_id: null }]);
});

it('an update that waits while the group gets another id is posted under the new id', async () => {
  const [former, current] = [
    await connectChat({ caller }),
    await connectChat({ caller: await app.signIn('other') }),
  ];
  const call = await openPosted();
  await update(call.id, 'Moved.');
  await query('DELETE FROM telegram_chats WHERE chat_id = ?', String(current.chatId));
  await query(
    'UPDATE telegram_chats SET chat_id = ?, migrated_from = chat_id WHERE chat_id = ?',
    String(current.chatId),
    String(former.chatId),
  );
  await query('DELETE FROM chat_posts');
  await deliver();
  expect(await textsIn(current.chatId)).toEqual([expect.stringContaining('Moved.')]);
});

describe('refused posts', () => {
  it.each(
    Object.entries<(chat: TestChat) => unknown>({
      'in a Paid caller’s public chat': ({ act }) => act('change-chat', { username: 'now_public' }),
      'if the bot may not remove people': ({ act }) => act('promote', { user: BOT, rights: [] }),
      'in a deleted chat': ({ act }) => act('delete-chat'),
      'before a Paid caller has confirmed the chat': unconfirm,
      'while the caller is suspended': () =>
        query('UPDATE users SET is_suspended = 1 WHERE id = ?', caller.id),
      'while the caller is hidden': () => query('UPDATE users SET is_hidden = 1 WHERE id = ?', caller.id),
    }),
  )('no call is posted %s', async (_where, change) => {
    const chat = await connectChat({ caller });
    const call = await open();
    await change(chat);
    await deliver();
    expect(await query('SELECT * FROM chat_posts')).toEqual([]);
    await endCall({ caller, call, price: 3 });
    await deliver();
    expect(await query('SELECT * FROM chat_posts')).toEqual([]);
    expect(await app.chatSender.events()).toEqual([]);
  });

  it.each(
    Object.entries<(group: TestChat) => unknown>({
      'is public': ({ act }) => act('change-chat', { username: 'talks' }),
      'has removed the bot': ({ act }) => act('remove', { user: BOT }),
      'isn’t confirmed': unconfirm,
    }),
  )('nothing more is posted in a channel whose discussion group %s', async (_problem, change) => {
    const group = await connectChat({ caller });
    const { chatId, act } = await connectChat({ caller, kind: 'channel' });
    await act('change-chat', { linkedChatId: group.chatId });
    const call = await openPosted();
    await change(group);
    await update(call.id, 'Not for everybody.');
    await makeCall({ caller, mint: MINTS.BONK, price: 1 });
    await deliver();
    expect(await textsIn(chatId)).toEqual([expect.not.stringContaining('Not for everybody.')]);
    expect(JSON.stringify(await control('GET', '/messages'))).not.toContain('Not for everybody.');
    expect(await query("SELECT problem FROM telegram_chats WHERE kind = 'channel'")).toEqual([
      { problem: 'discussion_problem' },
    ]);
  });
});

it('a text that operators hide disappears from the post and the reply, and comes back when they show it', async () => {
  const operated = await createOperatedApp();
  app = operated.app;
  ({ caller } = await createPaidCaller(app, { handle: 'hidden_calls' }));
  const { chatId } = await connectChat({ caller });
  const call = await open({ thesis: 'SECRET thesis' });
  await deliver();
  await update(call.id, 'SECRET update');
  await deliver();
  const [sent] = await query<{ id: string }>('SELECT id FROM call_updates');
  const moderate = async (action: string) => {
    await moderateAs(operated.operator, { action, kind: 'thesis', subjectId: call.id });
    await app.advance(1);
    await moderateAs(operated.operator, { action, kind: 'update', subjectId: sent?.id });
    await app.advance(1);
    await deliver();
    return (
      (await postsIn(chatId))
        .map(({ text }) => text)
        .join('')
        .match(/SECRET \w+/g) ?? []
    );
  };
  expect(await moderate('hide_text')).toEqual([]);
  expect(await moderate('show_text')).toEqual(['SECRET thesis', 'SECRET update', 'SECRET update']);
});

describe('failed requests', () => {
  it('a post whose message id was not stored is sent again, and the end of the call edits the second message', async () => {
    let failures = 0;
    const DB = interceptDatabase(testEnv.DB, async ({ sql }, run) => {
      if (!sql.startsWith('insert into "chat_posts"') || failures > 0) return run();
      failures += 1;
      throw new Error('The database is away.');
    });
    app = await createTestApp({ bindings: { DB } });
    ({ caller } = await createPaidCaller(app, { handle: 'doubled_calls' }));
    const { chatId } = await connectChat({ caller });
    const call = await open();
    expect(await deliver()).toEqual([10]);
    await deliver();
    await endCall({ caller, call, price: 3 });
    await deliver();
    const titles = (await textsIn(chatId)).map((text) => text.split(':')[0]);
    expect(titles).toEqual(['Call', 'Call ended']);
  });

  it('edits of a post beyond the chat’s rate limit wait, and the last update arrives', async () => {
    const { chatId } = await connectChat({ caller });
    await control('POST', '/telegram/limits', { isEnforced: true });
    const call = await open();
    for (let number = 1; number <= 8; number += 1) {
      await update(call.id, `Update ${number}.`);
      await deliver();
    }
    while ((await deliver()).length > 0) await app.advance(MINUTE_MS);
    const [text] = await textsIn(chatId);
    expect(text).toContain('Update 8.');
  });
});

describe('private messages to chat members', () => {
  let follower: Person;
  let privateChat: number;
  let chat: TestChat;

  beforeEach(async () => {
    follower = await app.signIn('follower');
    const pair = { subscriber_id: follower.id, caller_id: caller.id };
    await insertRows('subscriptions', [{ id: 's', ...pair, ends_at: Number.MAX_SAFE_INTEGER }]);
    privateChat = await connectTelegram(app, follower);
    chat = await connectChat({ caller });
    await insertRows('chat_members', [{ chat_id: String(chat.chatId), person_id: String(privateChat) }]);
  });

  const openAndDeliver = async () => {
    await open();
    await deliverAll();
    return (await writtenTo(privateChat)).filter((text) => text.startsWith('New call')).length;
  };
  /** Sends two updates about a call. Returns the updates that the follower gets as private messages. */
  const sendTwo = async ({ id }: TokenCall) => {
    for (const message of ['One.', 'Two.']) {
      await update(id, message);
      await deliverAll();
    }
    return (await writtenTo(privateChat)).map((text) => /One|Two/.exec(text)?.[0]);
  };

  it.each(
    Object.entries<() => unknown>({
      'wants private messages, too': () =>
        readResponse(follower.patch('/api/user/notifications', { kind: 'chat_only', isOn: false })),
      'has only requested to join the chat': () => query("UPDATE chat_members SET status = 'asking'"),
      'is in a chat where nothing is posted': async () => {
        await chat.act('change-chat', { username: 'public_group' });
        await query("UPDATE telegram_chats SET problem = 'public'");
      },
      'is in a chat that isn’t confirmed': () => unconfirm(chat),
    }),
  )('a follower gets a private message about a new call if the follower %s', async (_why, change) => {
    await change();
    expect(await openAndDeliver()).toBe(1);
  });

  it('a follower in a chat that has become public gets one private message about each event', async () => {
    await chat.act('change-chat', { username: 'public_now' });
    const call = await open();
    await app.sender.deliver();
    expect(await writtenTo(privateChat)).toEqual([]);
    await deliverAll();
    await update(call.id, 'Take half off.');
    await deliverAll();
    const texts = await writtenTo(privateChat);
    expect(texts.map((text) => text.slice(0, 6))).toEqual(['New ca', 'Update']);
    expect(await textsIn(chat.chatId)).toEqual([]);
  });

  describe('a channel with a linked group', () => {
    let channel: TestChat;
    const link = (linkedChatId: number) => channel.act('change-chat', { linkedChatId });

    beforeEach(async () => {
      channel = await connectChat({ caller, kind: 'channel' });
      await link(chat.chatId);
    });

    it('a linked discussion group gets only Telegram’s copies of the channel’s posts', async () => {
      const call = await openPosted();
      await update(call.id, 'Half off.');
      await deliverAll();
      expect(await textsIn(channel.chatId)).toEqual([expect.stringContaining('Half off.')]);
      expect(await query('SELECT chat_id FROM chat_posts')).toEqual([{ chat_id: String(channel.chatId) }]);
      expect(await writtenTo(privateChat)).toEqual([]);
    });

    it('an unlinked discussion group gets its own posts, even before the next check of the chat', async () => {
      await openPosted();
      await link(0);
      await makeCall({ caller, mint: MINTS.BONK, price: 1 });
      await deliver();
      const posts = await query<{ n: number }>('SELECT COUNT(*) AS n FROM chat_posts GROUP BY chat_id');
      expect(posts.map(({ n }) => n).toSorted()).toEqual([1, 2]);
      expect((await textsIn(chat.chatId)).filter((text) => text.includes('BONK'))).toHaveLength(1);
    });

    it('after a group was unlinked, updates go into a new post in the channel instead of the copied post', async () => {
      const call = await openPosted();
      await link(0);
      await readResponse(caller.delete(`/api/user/telegram-chats/${chat.chatId}`));
      await update(call.id, 'SECRET update');
      await deliverAll();
      await update(call.id, 'SECRET second');
      await deliver();
      expect(JSON.stringify(await control('GET', `/messages?chatId=${chat.chatId}`))).not.toContain('SECRET');
      expect(await textsIn(channel.chatId)).toEqual([
        expect.not.stringContaining('SECRET'),
        expect.stringMatching(/SECRET update[^]*SECRET second/),
      ]);
    });

    it.each(
      Object.entries<() => Promise<unknown>>({
        'the channel is public': () => channel.act('change-chat', { username: 'readers_open' }),
        'the bot was removed from the channel': () => channel.act('remove', { user: BOT }),
      }),
    )(
      'a follower in a discussion group gets each update once as a private message if %s',
      async (_why, change) => {
        const call = await openPosted();
        await change();
        expect(await sendTwo(call)).toEqual(['One', 'Two']);
        expect(await query('SELECT 1 FROM chat_posts WHERE chat_id = ?', String(chat.chatId))).toEqual([]);
      },
    );
  });
});
