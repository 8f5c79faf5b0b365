import type { OfferedAction, OperatorsPage, OperatorsRow } from '#schema/contracts/operators.ts';
import type { NotificationSettings } from '#schema/contracts/notifications.ts';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import type { Way } from '#schema/contracts/ways.ts';
import type { WayKind } from '#schema/constants/people.ts';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import { formatChange, formatRate, pluralize } from '#schema/rules/text/format.ts';
import { kindTexts } from '#schema/rules/text/notification-texts.ts';
import { utcMinute } from '#schema/rules/text/utc-minute.ts';
import type { MessageResult } from '../../../ports/outbox.ts';
import type { DeletionPreview } from '../../people/account/deletion.repository.ts';
import type { PaymentRows } from '../../money/payments/payment-history.repository.ts';
import { link, personLink, row, section, sol, type Fact } from './page.ts';
import { paymentRow, readPayments } from './payment.ts';
import type { TextRow } from '../../log/readable-calls.repository.ts';
import type { PersonRows } from './person.repository.ts';

type Found = NonNullable<PersonRows>;

export interface PersonParts extends Found {
  readonly subscriptions: readonly MySubscription[];
  readonly ways: readonly Way[];
  readonly payments: PaymentRows;
  readonly texts: readonly TextRow[];
  readonly settings: NotificationSettings;
  /** Newest first. */
  readonly messages: readonly MessageResult[];
  readonly deletion: DeletionPreview | null;
}

/** Everything about a person, but no email, no chat and no secret. */
export function personPage(parts: PersonParts): OperatorsPage {
  const { person, caller, changes, deletion, ways, messages, texts } = parts;
  const handle = person.twitterHandle;
  const isLeaving = deletion?.isRequested === true;
  return {
    title: `@${handle}`,
    badges: badgesOf(parts),
    sections: [
      section('Account', {
        facts: [...accountFacts(parts), ...(isLeaving ? deletionFacts(deletion) : [])],
        actions: actionsOn(parts),
        problems: Number(isLeaving),
      }),
      section('Subscriptions and payments', {
        facts: parts.subscriptions.map(describeSubscription),
        rows: readPayments(parts.payments).map(paymentRow),
        none: 'No payments made or received, and no transactions that bought nothing.',
      }),
      section('Ways into the account', {
        rows: ways.map(wayRow),
        none: 'Nobody is signed in.',
      }),
      section('Telegram', {
        facts: telegramFacts(parts),
        rows: messages.map(({ kind, at, result }) =>
          row({ title: nameOf(kind), at, lines: [RESULTS[result]] }),
        ),
        none: 'No messages in the last 30 days.',
      }),
      ...(caller ? [section('Caller', { facts: callerFacts(caller), rows: changes.map(payoutRow) })] : []),
      section('Texts', { rows: texts.map((text) => textRow(text, handle)), none: 'No bio.' }),
    ],
  };
}

function badgesOf({ person, deletion }: PersonParts): string[] {
  const badges = [
    person.isVerified && 'Verified',
    isDeletedPerson(person) ? 'Deleted' : person.isSuspended && 'Suspended',
    person.isHidden && 'Hidden',
    deletion?.isRequested === true && 'Will be deleted',
  ];
  return badges.filter((badge) => badge !== false);
}

const accountFacts = ({ person, caller }: PersonParts): Fact[] => [
  ['Name', `${person.firstName} ${person.lastName}`.trim()],
  ['Member since', utcMinute(person.createdAt)],
  ...(caller ? [['Public page', link('profile', person.id, `@${person.twitterHandle}`)] as const] : []),
  ['Email', person.email === null ? 'None' : 'Saved, but not shown'],
  ['X id', person.xUserId],
  ['Id', person.id],
  ['Operators’ actions', link('audit', person.id, 'Audit')],
];

const describeSubscription = (subscription: MySubscription): Fact => {
  const { callerId, caller, startDate, endDate, isCurrentlyActive } = subscription;
  const until = endDate === null ? ', free' : `, until ${utcMinute(endDate)}`;
  const state = isCurrentlyActive ? 'Has access' : 'No access now';
  return [`${state}: since ${utcMinute(startDate)}${until}`, personLink(callerId, caller.twitterHandle)];
};

function actionsOn({ person, caller, deletion }: PersonParts): OfferedAction[] {
  const { id: subjectId, isVerified, isSuspended, isHidden } = person;
  const offer = { subjectId, about: `@${person.twitterHandle}` };
  const hiding = { ...offer, action: isHidden ? 'show_caller' : 'hide_caller' } as const;
  if (isDeletedPerson(person)) return caller ? [hiding] : [];
  const ofCaller: OfferedAction[] = [
    { ...offer, action: isVerified ? 'unverify' : 'verify' },
    { ...offer, action: isSuspended ? 'unsuspend' : 'suspend' },
    hiding,
  ];
  return [
    ...(caller ? ofCaller : []),
    { ...offer, action: 'end_access' },
    deletion?.isRequested === true
      ? { ...offer, action: 'keep_account' }
      : { ...offer, action: 'delete_account', detail: describeDeletion(deletion) },
  ];
}

/** The person sees the same facts before deleting the account. */
function describeDeletion(deletion: DeletionPreview | null): string {
  if (deletion !== null && deletion.at !== null) {
    return `Because of ${pluralize(deletion.paidSubscribers, 'paid subscriber')}, the account is deleted on ${utcMinute(deletion.at)}. ${owes(deletion)} New calls and payments stop at once; email, Telegram, devices, API keys and webhook are erased at once. Open calls are ended on that day. Until then, you and the person can take it back.`;
  }
  if (deletion?.hasOpenCalls === true) return 'Refused now: the caller must end the open calls first.';
  return 'There are no paid subscribers, so the account is deleted at once. It can’t be taken back.';
}

const owes = ({ owedLamports }: DeletionPreview) =>
  owedLamports === 0n
    ? 'No paid period lasts longer, so nothing is owed.'
    : `For the time after that, ${sol(owedLamports)} is owed to them.`;

const deletionFacts = (deletion: DeletionPreview): Fact[] => [
  ['Will be deleted', deletion.at === null ? '' : utcMinute(deletion.at)],
  ['Until then', `${pluralize(deletion.paidSubscribers, 'paid subscriber')}. ${owes(deletion)}`],
];

const WAYS: Readonly<Record<WayKind, string>> = {
  session: 'Session',
  key: 'API key',
  webhook: 'Webhook',
  telegram_link: 'Unfinished link to Telegram',
  telegram: 'Telegram',
  chat: 'Group or channel on Telegram',
  push: 'Notifications in a browser',
  x: 'Permission to post on X',
};

/** Addresses of webhooks may contain secrets, and names of chats are their owners' own. */
const NAMED: ReadonlySet<WayKind> = new Set(['session', 'key']);

const wayRow = ({ kind, name, mayCall, isNew, madeAt, lastUsedAt }: Way): OperatorsRow =>
  row({
    title: NAMED.has(kind) ? `${WAYS[kind]}: ${name}` : WAYS[kind],
    at: Date.parse(madeAt),
    lines: [
      isNew ? 'A new device' : null,
      mayCall ? 'May open and end calls' : null,
      lastUsedAt === null ? null : `Last used ${utcMinute(lastUsedAt)}`,
    ],
  });

const RESULTS: Readonly<Record<MessageResult['result'], string>> = {
  delivered: 'Delivered',
  unreachable: 'The chat blocks the bot or no longer exists',
  unwanted: 'Not sent: switched off, muted, no chat or no access',
  unsent: 'Failed for its whole lifetime',
  waiting: 'Waiting for this time',
};

const KINDS: Readonly<Partial<Record<string, { readonly label: string }>>> = kindTexts;

/** The name of a kind of notice in the settings, or the kind in words for one without a switch. */
const nameOf = (kind: string) =>
  KINDS[kind]?.label ?? `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;

function telegramFacts({ chat, settings }: PersonParts): Fact[] {
  const off = Object.entries(settings.kinds).flatMap(([kind, isOn]) => (isOn ? [] : [nameOf(kind)]));
  const muted = settings.mutedCallers.map(({ twitterHandle }) => `@${twitterHandle}`);
  return [
    ['Chat', describeChat(chat)],
    ['Switched off', off.join(', ') || 'nothing'],
    ['Muted', muted.join(', ') || 'nobody'],
  ];
}

function describeChat(chat: Found['chat']): string {
  if (!chat) return 'Never connected.';
  const { connectedAt, sessionHash, startNonceHash, updatedAt } = chat;
  if (connectedAt !== null) return `Connected since ${utcMinute(connectedAt)}.`;
  const hasAsked = startNonceHash !== null;
  // Disconnecting in the settings also clears the session.
  if (sessionHash === null) {
    return hasAsked ? 'Asked for a link, but never pressed Start.' : 'Not connected now.';
  }
  const then = hasAsked ? ', then asked for a new link' : `, on ${utcMinute(updatedAt)}`;
  return `Blocked the bot, or sent /stop${then}. The person must connect again.`;
}

const callerFacts = (caller: NonNullable<Found['caller']>): Fact[] => [
  ['Fee', caller.feeLamports === 0n ? 'Free' : `${sol(caller.feeLamports)} a month`],
  ['Subscribers', `${caller.subscriberCount}, of whom ${caller.payingCount} count as paying`],
  ['Earned', sol(caller.earnedLamports)],
  ['Ended calls', `${caller.endedCalls}, of which ${caller.rankedCalls} are ranked`],
  ['Win rate', formatRate(caller.rankedCalls > 0 ? caller.winRate : null)],
  ['Average return', caller.rankedCalls > 0 ? formatChange(caller.avgReturn) : '–'],
  ['Payout wallet', caller.payoutAddress ?? 'None'],
];

const payoutRow = ({ at, oldAddress, newAddress }: Found['changes'][number]): OperatorsRow =>
  row({
    title: 'Payout wallet changed',
    at,
    lines: [`From ${oldAddress ?? 'none'}`, `To ${newAddress ?? 'none'}`],
  });

export function textRow({ kind, subjectId, text, isHidden }: TextRow, handle: string): OperatorsRow {
  const action = isHidden === 1 ? 'show_text' : 'hide_text';
  return row({
    id: `${kind} ${subjectId}`,
    title: `The ${kind}${isHidden === 1 ? ' (hidden)' : ''}`,
    lines: [text],
    actions: [{ action, kind, subjectId, about: `${kind} of @${handle}` }],
  });
}
