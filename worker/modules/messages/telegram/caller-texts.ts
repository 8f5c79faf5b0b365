import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import { COMMAND_MAX_AGE_MS, OFFER_LIFETIME_MS } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import { changePercent, changeSinceEntry } from '#schema/rules/calls/change-percent.ts';
import { expectedUnrankedReason, type UnrankedReason } from '#schema/rules/calls/ranking.ts';
import { afterFeeSentence } from '#schema/rules/calls/after-fee-text.ts';
import { provenText, rankingNote, shortHoldNote } from '#schema/rules/calls/ranking-texts.ts';
import { UNRANKED_EFFECT, unrankedReasons } from '#schema/rules/calls/unranked-text.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { describeSafety, readSafety } from '#schema/rules/prices/token-safety.ts';
import { describeUnit } from '#schema/rules/prices/units.ts';
import { firstWholeMinute } from '#schema/rules/text/format-durations.ts';
import {
  formatChange,
  formatCount,
  formatMarketCap,
  formatRate,
  formatRelativeTime,
  pluralize,
} from '#schema/rules/text/format.ts';
import {
  composeMessage,
  describeTime,
  showChat,
  showPerson,
  showSymbol,
  showToken,
  type NamedChat,
} from '../../../shared/plain-text.ts';

const ADDRESS_OR_LINK = 'a token’s address, or a link to DexScreener, Jupiter or pump.fun';
const LIFETIME = `The buttons work for ${OFFER_LIFETIME_MS / SECOND_MS} seconds.`;
const orUnknown = (usd: number | null) => (usd === null ? 'Unknown' : formatMarketCap(usd));
const shownChange = (percent: number | null) => (percent === null ? '–' : formatChange(percent));

export const callerTexts = {
  switchedOff: (settings: string) =>
    `Calls from this chat are switched off. Callers switch them on under “Telegram Notifications” in the settings: ${settings}`,
  late: `Your message took over ${COMMAND_MAX_AGE_MS / SECOND_MS} seconds to arrive, so nothing was done. Send it again.`,
  usedButton:
    'This button was used or is too old. Send /calls to see your active calls, or send the command again.',
  cancelled: 'Cancelled. Nothing was recorded.',
  callUsage: `Send /call with ${ADDRESS_OR_LINK}.`,
  firstUsage: `Send /first with ${ADDRESS_OR_LINK}.`,
  updateUsage: 'Write your update after the command: /update Half sold.',
  emptyUpdate: 'Write your update after the symbol: /update WIF Half sold. Nothing was sent.',
  notActive: (token: string) =>
    `You have no active call on ${token}. Nothing was sent. To update another call, begin with its token’s symbol: ` +
    '/update WIF Half sold.',
  stillActive: 'The call is still active.',
  tokenNotFound: 'Token not found',
  noPrice: 'Failed to fetch current price for token call',
  noCalls: 'You have no active calls. To make one, send /call with a token’s address.',
  noSuchCall: 'You have no active call on that token. Send /calls to see your active calls.',
  whichUpdate:
    'You have several active calls. Begin your update with the token’s symbol: /update WIF Half sold. ' +
    'Nothing was sent.',
  whichEnd: 'You have several active calls. Send the token’s symbol, too: /end WIF',
  unknownFirst: 'No call on this token has ended yet.',
  emptyRecap: (days: number) => `No call has ended in the last ${days} days.`,
};

export interface OfferedToken extends TokenLookup {
  readonly price: string;
  readonly earlier: UnrankedReason | null;
}

export function describeToken(token: OfferedToken, now: number): string {
  const { mint, symbol, name, lookAlikes, earlier } = token;
  const reason = expectedUnrankedReason(token, now) ?? earlier;
  const [lookAlike] = lookAlikes ?? [];
  const unit = describeUnit([token.multiplier]);
  return [
    `Call ${showToken({ tokenSymbol: symbol, tokenName: name, tokenMint: mint })}?\n${mint}`,
    [
      `Price: $${formatPrice(token.price)}`,
      `Market cap: ${orUnknown(token.marketCapUsd)}`,
      `Liquidity: ${orUnknown(token.liquidityUsd)}`,
      `24h volume: ${orUnknown(token.volume24hUsd)}`,
    ].join('\n'),
    ...(unit === null ? [] : [unit]),
    describeSafety(readSafety(token.safety)).join('\n'),
    ...(lookAlikes === null ? ['⚠️ We couldn’t check for look-alike tokens. Compare the address.'] : []),
    ...(lookAlike === undefined
      ? []
      : [`⚠️ A better-known token looks like this one. Compare its address: ${lookAlike.mint}`]),
    reason === null
      ? 'This call would be ranked if two price sources have a usable price when you confirm.'
      : `⚠️ This call won’t be ranked. ${unrankedReasons[reason]} ${UNRANKED_EFFECT}`,
    `When you confirm, we fetch the price again and record that one. ${LIFETIME}`,
  ].join('\n\n');
}

export function describeOpened(call: TokenCall): string {
  const { entryPrice, unrankedReason } = call;
  const text = `Token Call Created: ${showToken(call)} at $${formatPrice(entryPrice)}. Your call is now active.`;
  return unrankedReason === null ? text : `${text} It’s unranked: ${unrankedReasons[unrankedReason]}`;
}

export function describeEnding(call: TokenCall, now: number): string {
  const { entryPrice, lastPrice, unrankedReason } = call;
  const countsFrom = Date.parse(call.callTimestamp) + MIN_COUNTED_HOLD_MS;
  const isEarly = unrankedReason === null && now < countsFrom;
  return [
    `End your ${showSymbol(call)} call?`,
    [
      `Entry price: $${formatPrice(entryPrice)}`,
      `Current price: ${lastPrice === undefined ? 'Unknown' : `$${formatPrice(lastPrice.price)}`}`,
      `Change: ${shownChange(changeSinceEntry(call))}`,
    ].join('\n'),
    ...(isEarly ? [`⚠️ ${shortHoldNote(describeTime(firstWholeMinute(countsFrom)))}`] : []),
    `When you confirm, we fetch the price again and record that one. This cannot be undone. ${LIFETIME}`,
  ].join('\n\n');
}

export function describeEnded(call: TokenCall): string {
  const { entryPrice, endPrice = '0' } = call;
  const change = formatChange(changePercent(entryPrice, endPrice));
  const text = `Call Ended: ${showToken(call)} ended at $${formatPrice(endPrice)}, ${change}.`;
  const note = rankingNote(call);
  return note === null ? text : `${text} ${note}`;
}

interface Audience {
  readonly recipients: number | null;
  readonly chats: readonly NamedChat[];
}

export function describeSent(call: TokenCall, { recipients, chats }: Audience): string {
  const people = recipients === null ? 'subscribers' : pluralize(recipients, 'subscriber');
  const places = [
    ...(chats.length === 0 ? [] : [`to ${chats.map(showChat).join(' and ')}`]),
    ...(recipients === 0 ? [] : [`in private messages to ${people}`]),
  ];
  if (places.length === 0) return `Update on ${showSymbol(call)} saved. Nobody gets it on Telegram yet.`;
  return `Update Sent on ${showSymbol(call)}: it goes ${places.join(', and ')}.`;
}

export function listCalls(calls: readonly TokenCall[], { now, link }: { now: number; link: string }): string {
  const lines = calls.map((call) => {
    const { entryPrice, lastPrice, callTimestamp } = call;
    const price = lastPrice === undefined ? 'no price' : `$${formatPrice(lastPrice.price)}`;
    return (
      `${showSymbol(call)}: ${shownChange(changeSinceEntry(call))}\n` +
      `Opened ${formatRelativeTime(callTimestamp, now).toLowerCase()} at $${formatPrice(entryPrice)}, now ${price}`
    );
  });
  const head = () => [pluralize(calls.length, 'active call'), ...lines].join('\n\n');
  return composeMessage({ head, link });
}

export function describeFigures(caller: Omit<CallerListItem, 'recentCalls'>, appOrigin: string): string {
  const facts = [
    afterFeeSentence(caller.afterFee),
    `Proven: ${provenText(caller)}`,
    `${pluralize(caller.rankedCalls, 'ranked call')}: Win Rate ${formatRate(caller.winRate)}, Avg Return ${shownChange(caller.avgReturn)}, Follower Return ${shownChange(caller.followerReturn)}`,
    `Ended calls: ${formatCount(caller.endedCalls)}. Subscribers: ${formatCount(caller.subscriberCount)}, and ${pluralize(caller.followerCount, 'follower')}`,
  ].join('\n');
  const person = showPerson({ name: fullName(caller), handle: caller.twitterHandle });
  const link = `${appOrigin}/caller/${caller.twitterHandle}`;
  return composeMessage({ head: () => `${person} on ${PRODUCT_NAME}\n\n${facts}`, link });
}

export function describeFirst(call: TokenCall, link: string): string {
  const { caller, callTimestamp, entryPrice, endPrice = '0' } = call;
  const facts = [
    `Result: ${formatChange(changePercent(entryPrice, endPrice))}`,
    `Opened: ${describeTime(Date.parse(callTimestamp))}`,
    `Entry: $${formatPrice(entryPrice)}`,
    `End: $${formatPrice(endPrice)}`,
  ].join('\n');
  const head = (nameLength: number) =>
    `The first ended call on ${showToken(call, nameLength)} was by ` +
    `${showPerson({ name: fullName(caller), handle: caller.twitterHandle }, nameLength)}\n\n${facts}`;
  return composeMessage({ head, link });
}
