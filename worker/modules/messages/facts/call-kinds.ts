import { CALL_AUTO_END_MS } from '#schema/constants/market.ts';
import {
  CALL_EVENT_KINDS,
  NOTICE_LIFETIME_MS,
  NOTIFICATION_LIFETIME_MS,
} from '#schema/constants/messages.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CallEventKind } from '#schema/contracts/notifications.ts';
import { gainOf } from '#schema/rules/calls/calculator.ts';
import { describePaperEnd } from '#schema/rules/text/gains.ts';
import { readJson } from '#schema/rules/typed-json.ts';
import { composeMessage, describeTime, showSymbol } from '../../../shared/plain-text.ts';
import { showCaller } from '../../money/callers/caller-summary.ts';
import type { CallEventRow, CallEventsRepository } from '../notifications/call-events.repository.ts';
import { callButtons } from './call-buttons.ts';
import { composeCallEventText } from './call-event-text.ts';
import { factKind, type ToldFact } from './fact-kind.ts';
import type { NoticesRepository } from './notices.repository.ts';
import { paperFollowersOf } from './recipients.repository.ts';
import { describeCallEvent } from './webhook-bodies.ts';

export interface CallKindsOptions {
  readonly callEvents: CallEventsRepository;
  readonly notices: NoticesRepository;
  readonly appOrigin: string;
}

export function createCallKinds({ callEvents, notices, appOrigin }: CallKindsOptions) {
  const textOf = (row: CallEventRow) => {
    const url = `${appOrigin}/call/${row.callId}`;
    const text = composeCallEventText(row, url);
    const buttons = callButtons({ mint: row.tokenMint, canBuy: row.kind === 'call_opened', url });
    return text === null ? null : { text, buttons };
  };
  const callEvent = factKind({
    lifetimeMs: NOTIFICATION_LIFETIME_MS,
    audience: 'followers',
    switchKind: ({ kind }: CallEventRow) => kind,
    find: ({ id }) => callEvents.find(id),
    text: textOf,
    webhook: describeCallEvent,
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It has all kinds.
  const ofCalls = Object.fromEntries(CALL_EVENT_KINDS.map((kind) => [kind, callEvent])) as Record<
    CallEventKind,
    ToldFact
  >;

  return {
    ...ofCalls,

    /** The caller's own message. It needs no access to the call. */
    own_level_hit: factKind({
      lifetimeMs: NOTIFICATION_LIFETIME_MS,
      switchKind: () => 'level_hit',
      find: ({ subject }) => callEvents.find(`level_hit:${subject}`),
      text: textOf,
    }),

    call_ends_soon: factKind({
      lifetimeMs: Infinity,
      find: notices.findOpenCall,
      text(call, { subject }) {
        const endsAt = describeTime(call.calledAt + CALL_AUTO_END_MS);
        const head = (nameLength: number) =>
          `Your call on ${showSymbol(call, nameLength)} ends automatically on ${endsAt}.\n\n` +
          `A call stays open for at most ${CALL_AUTO_END_MS / DAY_MS} days. Until then you can end it yourself. ` +
          'An automatic end uses the lowest price of our sources and counts like any other.';
        return composeMessage({ head, link: `${appOrigin}/call/${subject}` });
      },
    }),

    /** The recipients follow the call's caller on paper, or only watch. */
    paper_ended: factKind({
      lifetimeMs: NOTICE_LIFETIME_MS,
      audience: ({ subject }) => paperFollowersOf(subject),
      switchKind: () => 'call_ended',
      find: ({ subject }, userId) => notices.findPaperEnd({ subject, userId }),
      text({ amountUsd, open, end, ...call }) {
        const marks = { open: readJson(open), end: readJson(end) };
        const gainUsd = amountUsd === null ? undefined : gainOf({ ...call, ...marks }, amountUsd);
        const head = (nameLength: number) =>
          `${describePaperEnd({ ...call, gainUsd, symbol: showSymbol(call, nameLength) })}\n\n` +
          `The call was by ${showCaller(call, nameLength)}, whom you have on paper.`;
        return composeMessage({ head, link: `${appOrigin}/portfolio` });
      },
    }),
  };
}
