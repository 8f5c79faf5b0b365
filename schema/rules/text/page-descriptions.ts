import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { FOLLOWER_STAKES_USD } from '#schema/constants/market.ts';
import { describeHeld } from './format-durations.ts';
import { formatPrice } from '../prices/format-prices.ts';
import { formatChange, formatFeePerMonth, formatRate, formatUsd, pluralize } from './format.ts';
import { callerTitle, type PagePath } from './page-texts.ts';
import { handleOf, withHandle, type HasName } from '../people/person-name.ts';
import type { AfterFee } from '../calls/after-fee.ts';
import { afterFeeText } from '../calls/after-fee-text.ts';
import { automaticEndTexts, rankingNote, type RankingReasons } from '../calls/ranking-texts.ts';
import type { AutomaticEnd } from '../calls/ranking.ts';
import { cutText, oneLine } from './visible-text.ts';

/** Most sites cut longer descriptions. */
const DESCRIPTION_MAX_LENGTH = 200;

/** Fixed pages with a link preview. */
export const PAGE_DESCRIPTIONS: Partial<Readonly<Record<PagePath, string>>> = {
  '/': 'Callers of Solana tokens with their whole record: what a month made after the fee, wins and losses alike. Follow them for free or for a monthly fee in SOL.',
  '/recent-calls': 'The token calls that ended last: who called them, entry, end, change and time held.',
  '/how-we-count':
    'Which calls are ranked, what followers would have made after the fee, and when a record counts as proven.',
  '/sealed-calls': 'How a public log shows that no call was added, changed or removed later.',
  '/compare': 'Callers side by side: what a month made after the fee, and their records.',
  '/terms': `What you agree to when you use ${PRODUCT_NAME}.`,
  '/privacy': `What ${PRODUCT_NAME} stores about you, why, and for how long.`,
  '/risk': 'What can go wrong when you follow calls and pay for them.',
};

interface DescribedCaller extends HasName {
  readonly winRate: number | null;
  readonly avgReturn: number | null;
  readonly rankedCalls: number;
  readonly monthlyFee: string | null;
  readonly afterFee: AfterFee;
  readonly formerHolder: (HasName & { readonly until: string }) | null;
}

/**
 * Returns a text such as '+$43 a month after the fee with $100 per call. 48 ranked calls: Win Rate 62.5%, Avg Return +12.3%.
 * 0.5 SOL / month. @ada on SolCallers.'
 */
export function describeCallerPage(caller: DescribedCaller): string {
  const { winRate, avgReturn, rankedCalls, monthlyFee, afterFee, formerHolder } = caller;
  const { gainUsd, headline } = afterFeeText(afterFee);
  const worth = gainUsd === null ? '' : `${headline} with ${formatUsd(FOLLOWER_STAKES_USD[0])} per call. `;
  const record =
    winRate === null || avgReturn === null
      ? 'No ranked calls yet'
      : `${pluralize(rankedCalls, 'ranked call')}: Win Rate ${formatRate(winRate)}, Avg Return ${formatChange(avgReturn)}`;
  const description = oneLine(
    `${formerHolder === null ? '' : `${describeFormerHolder(formerHolder)}. `}${worth}${record}. ${formatFeePerMonth(monthlyFee)}. ${handleOf(caller) ?? callerTitle(caller)} on ${PRODUCT_NAME}.`,
  );
  return cutText(description, DESCRIPTION_MAX_LENGTH);
}

function describeFormerHolder({ until, ...person }: HasName & { readonly until: string }): string {
  const day = new Date(until).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  return `Until ${day}, this handle belonged to ${callerTitle(person)}`;
}

interface DescribedCall extends RankingReasons {
  readonly caller: HasName;
  readonly tokenName: string;
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly callTimestamp: string;
  readonly endTimestamp: string;
  readonly isPaidPromotion: boolean;
  readonly automaticEnd: AutomaticEnd | null;
}

/**
 * Returns a text such as 'Entry $0.00002000, end $0.00003000, held 2d 4h. Bonk, called by Ada Byron
 * (@ada).' The names come last, because a text that is too long is cut at its end.
 */
export function describeCallPage(call: DescribedCall): string {
  const { caller, tokenName, entryPrice, endPrice, isPaidPromotion, automaticEnd } = call;
  const note = rankingNote(call);
  const facts = `Entry $${formatPrice(entryPrice)}, end $${formatPrice(endPrice)}, ${describeHeld(call)}.`;
  const token = oneLine(tokenName);
  const who = withHandle(callerTitle(caller), caller);
  const sentences = [
    facts,
    ...(automaticEnd === null ? [] : [`${automaticEndTexts[automaticEnd]}.`]),
    ...(note === null ? [] : [note]),
    ...(isPaidPromotion ? ['Paid promotion.'] : []),
    token === '' ? `Called by ${who}.` : `${token}, called by ${who}.`,
  ];
  return cutText(sentences.join(' '), DESCRIPTION_MAX_LENGTH);
}

interface DescribedToken {
  readonly name: string;
  readonly first: { readonly caller: HasName; readonly changePercent?: number } | null;
}

export function describeTokenPage({ name, first }: DescribedToken): string {
  const result = first?.changePercent === undefined ? '' : `: ${formatChange(first.changePercent)}`;
  const called = first === null ? '' : `First called by ${callerTitle(first.caller)}${result}. `;
  return cutText(`${called}Every ended call on ${oneLine(name) || 'this token'}.`, DESCRIPTION_MAX_LENGTH);
}
