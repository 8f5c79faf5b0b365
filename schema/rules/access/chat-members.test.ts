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

type Case = [name: string, facts: Partial<ChatMember>, checkAt?: number | null, isByUs?: boolean];

/** The bot let the member in, and decides again at the usual time, unless a case differs. */
const expectDecision =
  (action: string, usual: number | null) =>
  (...[, facts, checkAt = usual, isByUs = true]: Case) =>
    expect(decideMember({ ...MEMBER, ...facts })).toEqual({ action, isByUs, checkAt });

it.each<Case>([
  ['a member with access stays until it ends', {}],
  ['a member with endless access stays', { accessEndsAt: Infinity }, null],
  ['a member in the last millisecond of access stays', { accessEndsAt: NOW + 1 }, NOW + 1],
  ['a person who came without us counts as let in by us while they have access', other],
  [
    'a person without access who came without us stays if the caller has switched that off',
    { ...noAccess, ...other, removesOthers: false },
    null,
    false,
  ],
  [
    'a person without access who asks to join waits for a day',
    { ...asking, ...noAccess },
    NOW + DAY_MS / 2,
    false,
  ],
  ['nobody is removed from a Free caller’s chat', { ...free, ...other }, null, false],
  ['nobody is removed from the chat of a Free caller who was Paid', { ...free, paidSince: ago(50) }, null],
  ['nobody is removed until the caller confirms', { ...noAccess, paidSince: null }, null],
  ['an earlier member stays for 30 days', { ...noAccess, ...inGrace }, graceEnd],
  [
    'an earlier member who came without us stays for 30 days, too',
    { ...noAccess, ...inGrace, ...other },
    graceEnd,
    false,
  ],
  ['an earlier member whose access ends within the 30 days is checked after them', inGrace, graceEnd],
  [
    'an earlier member with longer access is checked at its end',
    { ...inGrace, accessEndsAt: NOW + 25 * DAY_MS },
    NOW + 25 * DAY_MS,
  ],
  ['an administrator with access is not one of the others', { status: 'admin', isByUs: false }],
  ['an administrator without access stays and is listed', { status: 'admin', ...noAccess }, null, false],
])('%s', expectDecision('keep', LATER));

it.each<Case>([
  ['a member whose access ends now is removed', { accessEndsAt: NOW }],
  ['a member whose access ended while others may stay is removed', { ...noAccess, removesOthers: false }],
  ['a person without access who came without us is removed', { ...noAccess, ...other }, null, false],
  [
    'a person who came in the second in which the chat became one for subscribers is removed',
    { ...noAccess, ...other, since: ago(1), paidSince: ago(1) + 900 },
    null,
    false,
  ],
  ['after 30 days the earlier member is removed', { ...noAccess, paidSince: ago(30) }],
  [
    'a member who joined at the time of the confirmation is not an earlier one',
    { ...noAccess, ...inGrace, since: ago(10) },
  ],
])('%s', expectDecision('remove', null));

it.each<Case>([
  ['a person with access who asks to join is approved', asking],
  ['a person who gets access a day after asking to join is approved', { ...asking, since: ago(1) }],
  ['a person without access who asks to join a Free caller’s chat is approved', { ...asking, ...free }, null],
  [
    'a person with access who asks to join before the caller confirms is approved',
    { ...asking, paidSince: null },
  ],
])('%s', expectDecision('approve', LATER));

it.each<Case>([
  [
    'a request to join is declined after a day without access',
    { ...asking, ...noAccess, since: ago(1) },
    NOW,
    false,
  ],
])('%s', expectDecision('decline', null));
