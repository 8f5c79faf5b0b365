import { PRODUCT_NAME } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatChange, formatHeld, formatPrice } from '#schema/rules/format.ts';
import { changePercent } from '#schema/rules/performance.ts';
import { fullName } from '#schema/rules/person-name.ts';

/** A call that has ended: only those are shared. */
export type EndedCall = TokenCall & Required<Pick<TokenCall, 'endPrice' | 'endTimestamp'>>;

export function hasEnded(call: TokenCall): call is EndedCall {
  return call.endPrice !== undefined && call.endTimestamp !== undefined;
}

function factsOf(call: EndedCall) {
  return {
    entry: `$${formatPrice(call.entryPrice)}`,
    end: `$${formatPrice(call.endPrice)}`,
    change: formatChange(changePercent(call.entryPrice, call.endPrice)),
    // In the middle of a sentence.
    held: formatHeld(call).toLowerCase(),
    // It belongs into the post itself, and not on the call's page alone.
    disclosure: call.isPaidPromotion ? 'Paid promotion.' : null,
  };
}

/** The page of a call, of which X shows the image below a link. `origin` is the product's address. */
export function callUrl(call: EndedCall, origin: string): string {
  return `${origin}/call/${encodeURIComponent(call.id)}`;
}

/** What a tweet of a call says unless its caller says something else. */
export function defaultShareText(call: EndedCall, origin: string): string {
  const { entry, end, change, held, disclosure } = factsOf(call);
  const facts = [
    `${call.tokenSymbol} call ended: ${change}`,
    `Entry ${entry}, end ${end}, held ${held}.`,
    ...(disclosure === null ? [] : [disclosure]),
  ];
  return `${facts.join('\n')}\n\n@${call.caller.twitterHandle} on ${PRODUCT_NAME}: ${callUrl(call, origin)}`;
}

/** The image in words, for who cannot see it. */
export function describeShareImage(call: EndedCall): string {
  const { entry, end, change, held, disclosure } = factsOf(call);
  return `Share image: ${fullName(call.caller)} (@${call.caller.twitterHandle}) called ${call.tokenSymbol} at ${entry} and ended at ${end}, ${change}, held ${held}.${disclosure === null ? '' : ` ${disclosure}`}`;
}
