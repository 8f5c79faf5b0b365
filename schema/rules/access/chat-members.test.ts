import { expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import { decideMember, type ChatMember } from './chat-members.ts';

const NOW = 1_000 * DAY_MS;
const LATER = NOW + 5 * DAY_MS;
const ago = (days: number) => NOW - days * DAY_MS;
/** A member with access, who asked the bot to join a Paid caller's chat. */
const MEMBER: ChatMember = {
  status: 'in',
  isByUs: true,
  since: ago(40),
  accessEndsAt: LATER,
  isFree: false,
  paidSince: ago(50),
  removesOthers: true,
  now: NOW,
};
const asking = { status: 'asking', isByUs: false, since: ago(0.5) } as const;
const other = { isByUs: false } as const;
const noAccess = { accessEndsAt: 0 };
const free = { isFree: true, paidSince: null, accessEndsAt: 0 };
const inGrace = { paidSince: ago(10) };
const graceEnd = NOW + 20 * DAY_MS;

const cases: [string, Partial<ChatMember>, string, number | null, boolean][] = [
  ['a member with access stays until it ends', {}, 'keep', LATER, true],
  ['a member with endless access stays', { accessEndsAt: Infinity }, 'keep', null, true],
  ['a member whose access ends now is removed', { accessEndsAt: NOW }, 'remove', null, true],
  ['a member in the last millisecond of access stays', { accessEndsAt: NOW + 1 }, 'keep', NOW + 1, true],
  [
    'a member whose access ended while others may stay is removed',
    { ...noAccess, removesOthers: false },
    'remove',
    null,
    true,
  ],
  ['a person who came without us counts as let in by us while they have access', other, 'keep', LATER, true],
  [
    'a person without access who came without us is removed',
    { ...noAccess, ...other },
    'remove',
    null,
    false,
  ],
  [
    'such a person stays if the caller has switched that off',
    { ...noAccess, ...other, removesOthers: false },
    'keep',
    null,
    false,
  ],
  [
    'a person who came in the second in which the chat became one for subscribers is removed',
    { ...noAccess, ...other, since: ago(1), paidSince: ago(1) + 900 },
    'remove',
    null,
    false,
  ],
  ['a person with access who asks is approved', asking, 'approve', LATER, true],
  [
    'a person without access who asks waits for a day',
    { ...asking, ...noAccess },
    'keep',
    NOW + DAY_MS / 2,
    false,
  ],
  ['after a day the request is declined', { ...asking, ...noAccess, since: ago(1) }, 'decline', NOW, false],
  ['a payment after a day still approves', { ...asking, since: ago(1) }, 'approve', LATER, true],
  ['whoever asks to join a Free caller’s chat is approved', { ...asking, ...free }, 'approve', null, true],
  ['nobody is removed from a Free caller’s chat', { ...free, ...other }, 'keep', null, false],
  [
    'nobody is removed from the chat of a Free caller who was Paid',
    { ...free, paidSince: ago(50) },
    'keep',
    null,
    true,
  ],
  ['nobody is removed until the caller confirms', { ...noAccess, paidSince: null }, 'keep', null, true],
  [
    'a person with access who asks before that is approved',
    { ...asking, paidSince: null },
    'approve',
    LATER,
    true,
  ],
  ['an earlier member stays for 30 days', { ...noAccess, ...inGrace }, 'keep', graceEnd, true],
  [
    'so does an earlier member who came without us',
    { ...noAccess, ...inGrace, ...other },
    'keep',
    graceEnd,
    false,
  ],
  ['after 30 days the earlier member is removed', { ...noAccess, paidSince: ago(30) }, 'remove', null, true],
  [
    'a member who joined at the time of the confirmation is not an earlier one',
    { ...noAccess, ...inGrace, since: ago(10) },
    'remove',
    null,
    true,
  ],
  [
    'an earlier member whose access ends within the 30 days is checked after them',
    inGrace,
    'keep',
    graceEnd,
    true,
  ],
  [
    'an earlier member with longer access is checked at its end',
    { ...inGrace, accessEndsAt: NOW + 25 * DAY_MS },
    'keep',
    NOW + 25 * DAY_MS,
    true,
  ],
  [
    'an administrator with access is not one of the others',
    { status: 'admin', isByUs: false },
    'keep',
    LATER,
    true,
  ],
  [
    'an administrator without access stays and is listed',
    { status: 'admin', ...noAccess },
    'keep',
    null,
    false,
  ],
];

it.each(cases)('%s', (_name, facts, action, checkAt, isByUs) => {
  expect(decideMember({ ...MEMBER, ...facts })).toEqual({ action, isByUs, checkAt });
});
