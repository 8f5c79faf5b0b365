import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { formatChange } from '#schema/rules/text/format.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { describeHeld } from '#schema/rules/text/format-durations.ts';
import { unlinked } from '#schema/rules/text/unlinked.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { automaticEndTexts, rankingNote } from '#schema/rules/calls/ranking-texts.ts';
import { fullName, handleOf, withHandle } from '#schema/rules/people/person-name.ts';
import type { EndedCall } from '#web/lib/calls/ended-call.ts';

function metadataOf(call: EndedCall) {
  const note = rankingNote(call);
  return {
    entry: `$${formatPrice(call.entryPrice)}`,
    end: `$${formatPrice(call.endPrice)}`,
    change: formatChange(changePercent(call.entryPrice, call.endPrice)),
    held: describeHeld(call),
    notes: [
      ...(note === null ? [] : [note]),
      // A paid promotion must be disclosed in the post itself.
      ...(call.isPaidPromotion ? ['Paid promotion.'] : []),
      ...(call.automaticEnd === null ? [] : [`${automaticEndTexts[call.automaticEnd]}.`]),
    ],
  };
}

/** The URL of the call's page. X shows the share image as its preview. */
export function callUrl(call: EndedCall, origin: string): string {
  return `${origin}/call/${encodeURIComponent(call.id)}`;
}

/**
 * The suggested text. It has no link, because X charges over ten times as much for a post with a link. A symbol such
 * as fair3d.me doesn't become a link, and the handle doesn't become a mention, which X may refuse. The image shows
 * the site's address, and the compose page gets the call's link.
 */
export function defaultShareText(call: EndedCall): string {
  const { entry, end, change, held, notes } = metadataOf(call);
  const facts = [
    `${unlinked(call.tokenSymbol)} call ended: ${change}`,
    `Entry ${entry}, end ${end}, ${held}.`,
    ...notes,
  ];
  const who = unlinked(handleOf(call.caller) ?? fullName(call.caller));
  return `${facts.join('\n')}\n\non ${PRODUCT_NAME}, ${who}`;
}

export function describeShareImage(call: EndedCall): string {
  const { entry, end, change, held, notes } = metadataOf(call);
  const who = withHandle(fullName(call.caller), call.caller);
  const result = `called ${call.tokenSymbol} at ${entry} and ended at ${end}, ${change}, ${held}.`;
  return ['Share image:', who, result, ...notes].join(' ');
}
