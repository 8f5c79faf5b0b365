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

/** Unless a case differs, the member counts as admitted by the bot, and the next decision is at the usual time. */
const expectDecision =
  (action: string, usual: number | null) =>
  (...[, facts, checkAt = usual, isByUs = true]: Case) =>
    expect(decideMember({ ...MEMBER, ...facts })).toEqual({ action, isByUs, checkAt });

it.each<Case>([
  ['a member with access stays in the chat until the access ends', {}],
  ['a member with endless access stays', { accessEndsAt: Infinity }, null],
  ['a member in the last millisecond of access stays', { accessEndsAt: NOW + 1 }, NOW + 1],
  ['a member with access whom the bot didn’t admit counts as admitted by the bot', other],
  [
    'a member without access whom the bot didn’t admit stays if the caller turned off their removal',
    { ...noAccess, ...other, removesOthers: false },
    null,
    false,
  ],
  [
    'a request to join without access stays open for a day',
    { ...asking, ...noAccess },
    NOW + DAY_MS / 2,
    false,
  ],
  ['nobody is removed from a Free caller’s chat', { ...free, ...other }, null, false],
  ['nobody is removed from the chat of a Free caller who was Paid', { ...free, paidSince: ago(50) }, null],
  [
    'nobody is removed until the caller confirms that the chat is for subscribers',
    { ...noAccess, paidSince: null },
    null,
  ],
  [
    'a member without access from before the confirmation stays for 30 days',
    { ...noAccess, ...inGrace },
    graceEnd,
  ],
  [
    'a member from before the confirmation whom the bot didn’t admit stays for 30 days',
    { ...noAccess, ...inGrace, ...other },
    graceEnd,
    false,
  ],
  [
    'a member from before the confirmation whose access ends within 30 days is checked after the 30 days',
    inGrace,
    graceEnd,
  ],
  [
    'a member from before the confirmation with access beyond the 30 days is checked when it ends',
    { ...inGrace, accessEndsAt: NOW + 25 * DAY_MS },
    NOW + 25 * DAY_MS,
  ],
  ['an administrator with access counts as admitted by the bot', { status: 'admin', isByUs: false }],
  [
    'an administrator without access stays, but doesn’t count as admitted by the bot',
    { status: 'admin', ...noAccess },
    null,
    false,
  ],
])('%s', expectDecision('keep', LATER));

it.each<Case>([
  ['a member whose access ends now is removed', { accessEndsAt: NOW }],
  [
    'a member admitted by the bot is removed after access ends, even if others may stay',
    { ...noAccess, removesOthers: false },
  ],
  ['a member without access whom the bot didn’t admit is removed', { ...noAccess, ...other }, null, false],
  [
    'a member without access who joined in the second of the confirmation is removed',
    { ...noAccess, ...other, since: ago(1), paidSince: ago(1) + 900 },
    null,
    false,
  ],
  [
    'a member without access from before the confirmation is removed after 30 days',
    { ...noAccess, paidSince: ago(30) },
  ],
  [
    'a member without access who joined at the time of the confirmation is removed',
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
