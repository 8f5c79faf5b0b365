import { expect, it } from 'vitest';
import { findChatProblem, mayPost, needsPaidConfirmation, type CallersChat } from './telegram-chats.ts';

type Now = Parameters<typeof mayPost>[0];
type Facts = Exclude<Now['facts'], string>;

const CHANNEL: CallersChat = {
  kind: 'channel',
  paidSince: 100,
  feeLamports: 1n,
  chargesSince: 100,
  otherChatId: null,
  topicProblem: null,
};
const FACTS: Facts = {
  isBasicGroup: false,
  isForum: false,
  username: null,
  linkedChatId: null,
  rights: { canPost: true, canInvite: true, canRemove: true },
};
const FREE = { feeLamports: 0n, paidSince: null, chargesSince: 0 };
const rights = (changes: Partial<NonNullable<Facts['rights']>>): Partial<Facts> => ({
  rights: { canPost: true, canInvite: true, canRemove: true, ...changes },
});
const nowOf = (chat: Partial<CallersChat>, facts: Now['facts'] | Partial<Facts> = {}): Now => ({
  chat: { ...CHANNEL, ...chat },
  facts: typeof facts === 'string' ? facts : { ...FACTS, ...facts },
  isDiscussionAllowed: true,
});

const cases: [string, Partial<CallersChat>, Now['facts'] | Partial<Facts>, string | null, boolean][] = [
  ['a private channel with all rights', {}, {}, null, true],
  ['a chat without the bot', {}, 'bot_removed', 'bot_removed', false],
  ['a deleted chat', {}, 'gone', 'gone', false],
  ['a Free caller’s chat without the bot', FREE, 'bot_removed', 'bot_removed', false],
  ['a basic group', { kind: 'group' }, { isBasicGroup: true }, 'basic_group', false],
  ['a Free caller’s basic group', { ...FREE, kind: 'group' }, { isBasicGroup: true }, 'basic_group', false],
  ['a chat where the bot is no administrator', {}, { rights: null }, 'no_post_right', false],
  ['a channel where the bot may not post', {}, rights({ canPost: false }), 'no_post_right', false],
  [
    'a Free caller’s channel where the bot may not post',
    FREE,
    rights({ canPost: false }),
    'no_post_right',
    false,
  ],
  [
    'a group whose topic is closed',
    { kind: 'group', topicProblem: 'topic_closed' },
    { isForum: true },
    'topic_closed',
    false,
  ],
  ['a group that has no topics anymore', { kind: 'group', topicProblem: 'topic_gone' }, {}, null, true],
  ['a public channel', {}, { username: 'calls' }, 'public', false],
  ['a public group', { kind: 'group' }, { username: 'calls' }, 'public', false],
  ['a Free caller’s public channel', FREE, { username: 'calls' }, null, true],
  [
    'a channel with an unknown discussion group',
    {},
    { linkedChatId: '-5' },
    'discussion_not_connected',
    false,
  ],
  [
    'a channel whose discussion group isn’t the connected group',
    { otherChatId: '-6' },
    { linkedChatId: '-5' },
    'discussion_not_connected',
    false,
  ],
  [
    'a channel whose discussion group is the connected group',
    { otherChatId: '-5' },
    { linkedChatId: '-5' },
    null,
    true,
  ],
  ['a group of an unknown channel', { kind: 'group' }, { linkedChatId: '-5' }, null, true],
  ['a Free caller’s channel with an unknown discussion group', FREE, { linkedChatId: '-5' }, null, true],
  ['a chat where the bot may not remove', {}, rights({ canRemove: false }), 'no_remove_right', false],
  ['a chat where the bot may not invite', {}, rights({ canInvite: false }), 'no_invite_right', true],
  [
    'a Free caller’s chat where the bot may neither remove nor invite',
    FREE,
    rights({ canRemove: false, canInvite: false }),
    null,
    true,
  ],
  [
    'the chat of a caller who became Paid after the confirmation',
    { chargesSince: 101 },
    {},
    'unconfirmed',
    false,
  ],
  [
    'the chat of a Paid caller without a confirmation',
    { paidSince: null, chargesSince: 0 },
    {},
    'unconfirmed',
    false,
  ],
];

it.each(cases)(
  'findChatProblem returns $3 and mayPost returns $4 for $0',
  (_name, chat, facts, problem, isAllowed) => {
    const now = nowOf(chat, facts);
    expect([findChatProblem(now), mayPost(now)]).toEqual([problem, isAllowed]);
  },
);

it('a Paid caller’s channel gets no posts while its discussion group has a problem that stops posts', () => {
  const now = { ...nowOf({ otherChatId: '-5' }, { linkedChatId: '-5' }), isDiscussionAllowed: false };
  expect([findChatProblem(now), mayPost(now)]).toEqual(['discussion_problem', false]);
  expect(mayPost({ ...nowOf({ kind: 'group' }, { linkedChatId: '-5' }), isDiscussionAllowed: false })).toBe(
    true,
  );
  expect(mayPost({ ...nowOf(FREE, { linkedChatId: '-5' }), isDiscussionAllowed: false })).toBe(true);
});

it('findChatProblem returns the worst of several problems', () => {
  const all = { username: 'calls', linkedChatId: '-5', ...rights({ canRemove: false, canInvite: false }) };
  expect(findChatProblem(nowOf({}, all))).toBe('public');
  expect(findChatProblem(nowOf({}, { ...all, username: null }))).toBe('discussion_not_connected');
  expect(findChatProblem(nowOf({}, { ...all, username: null, linkedChatId: null }))).toBe('no_remove_right');
});

it('a caller has to confirm a chat again after the next change from Free to Paid', () => {
  const isNeeded = (chat: Partial<CallersChat>) => needsPaidConfirmation({ ...CHANNEL, ...chat });
  expect(isNeeded({})).toBe(false);
  expect(isNeeded({ feeLamports: 0n, chargesSince: 500 })).toBe(false);
  expect(isNeeded({ chargesSince: 500 })).toBe(true);
  expect(isNeeded({ paidSince: 500, chargesSince: 500 })).toBe(false);
});
