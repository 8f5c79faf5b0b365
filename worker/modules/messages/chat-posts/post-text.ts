import { TELEGRAM_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';
import { rankingNote } from '#schema/rules/calls/ranking-texts.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { describeSafety, readSafety, type TokenSafety } from '#schema/rules/prices/token-safety.ts';
import { formatMarketCap } from '#schema/rules/text/format.ts';
import { endOf, termsOf, titleOf } from '../facts/call-text.ts';
import { composeMessage, describeTime } from '../../../shared/plain-text.ts';
import type { CallUpdateRow, PostedCall } from './chat-posts.repository.ts';

export interface PostContent {
  readonly call: PostedCall;
  readonly updates: readonly CallUpdateRow[];
  readonly hasOlderUpdates: boolean;
  readonly callUrl: string;
}

const OLDER_UPDATES = 'Older updates are on the call’s page.';
const ALL_UPDATES = 'All updates are on the call’s page.';

/** Writes a call with all that has happened to it. If that's too long, leaves out the oldest updates first, but cuts none. */
export function composePostText({ call, updates, hasOlderUpdates, callUrl: link }: PostContent): string {
  const what = call.endedAt === null ? 'Call' : 'Call ended';
  const head = (nameLength?: number) => `${titleOf(what, call, nameLength)}\n${factsOf(call).join('\n')}`;
  const thesis = call.thesis === null ? [] : [call.thesis];
  const texts = updates.map(({ message, at }) => `Update on ${describeTime(at)}:\n${message}`);
  for (let first = 0; first < texts.length; first += 1) {
    const note = first > 0 || hasOlderUpdates ? [OLDER_UPDATES] : [];
    const words = [...thesis, ...note, ...texts.slice(first)].join('\n\n');
    const message = [head(), words, link].join('\n\n');
    if (message.length <= TELEGRAM_MESSAGE_MAX_LENGTH) return composeMessage({ head, words, link });
  }
  return composeMessage({
    head,
    words: [...thesis, ...(texts.length > 0 ? [ALL_UPDATES] : [])].join('\n\n'),
    link,
  });
}

/** At most four lines, so that a post without its caller's own texts has six. */
function factsOf(call: PostedCall): string[] {
  const note = rankingNote(call);
  const cap = call.entryMarketCapUsd;
  const isOpen = call.endedAt === null;
  return [
    endOf(call).join(' · '),
    `Token: ${call.tokenMint}`,
    `Entry: $${formatPrice(call.entryPrice)} on ${describeTime(call.calledAt)}, market cap ${cap === null ? 'unknown' : formatMarketCap(cap)}`,
    [...termsOf(call), ...(note === null ? [] : [note])].join(' · '),
    isOpen ? safetyOf(call.entrySafety) : '',
  ].filter((line) => line !== '');
}

function safetyOf(safety: TokenSafety | null): string {
  if (safety === null) return 'Safety: Unknown';
  const problems = readSafety(safety).filter(({ kind }) => kind !== 'fine');
  return problems.length === 0 ? 'Safety: no risks found' : describeSafety(problems).join(' · ');
}
