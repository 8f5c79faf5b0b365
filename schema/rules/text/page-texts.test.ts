import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeCallerPage, describeCallPage } from './page-descriptions.ts';
import { documentTitle } from './document-title.ts';
import { callerTitle, callTitle, PAGES } from './page-texts.ts';

const ada = { firstName: 'Ada', lastName: 'Byron', twitterHandle: 'ada' };
const call = {
  caller: ada,
  tokenSymbol: 'BONK',
  tokenName: 'Bonk',
  tokenMint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
  entryPrice: '0.00002',
  endPrice: '0.00003',
  callTimestamp: '2026-06-01T00:00:00.000Z',
  endTimestamp: '2026-06-03T04:00:00.000Z',
  isPaidPromotion: false,
  unrankedReason: null,
  uncountedGainReason: null,
  automaticEnd: null,
};
const record = {
  ...ada,
  winRate: 62.5,
  avgReturn: 12.34,
  rankedCalls: 48,
  monthlyFee: '0.5',
  afterFee: {
    results: 48,
    days: 40,
    mostAtOnce: 3,
    since: '2026-04-01T00:00:00.000Z',
    months: 2,
    feeUsd: 75,
    stakes: [{ stakeUsd: 100, gainUsd: 236, solUsd: -38, monthUsd: 43, monthSolUsd: -19, mostUsd: 300 }],
    paysFromUsd: 64,
  } as const,
  formerHolder: null,
};
const tooEarly = { ...record.afterFee, results: 0, days: 0, stakes: [], paysFromUsd: null };

it.each([
  [PAGES['/'].title, 'Find SolCallers'],
  [PAGES['/recent-calls'].title, 'Recent Calls · SolCallers'],
  ['SolCallers Support', 'SolCallers Support · SolCallers'],
])('the document title of the page %s is %s', (title, shown) => {
  expect(documentTitle(title)).toBe(shown);
});

it.each([
  [ada, 'Ada Byron'],
  [{ firstName: '', lastName: '', twitterHandle: 'ada' }, '@ada'],
  [{ firstName: '\u202e\u200b', lastName: '\u2066', twitterHandle: 'ada' }, '@ada'],
  [{ firstName: ' Ada\n\u0000', lastName: '\u202eByron ', twitterHandle: 'ada' }, 'Ada Byron'],
  [{ firstName: '👩‍🚀', lastName: 'می‌خواهم', twitterHandle: 'ada' }, '👩‍🚀 می‌خواهم'],
])('the title of the page of the caller %j is %s', (caller, title) => {
  expect(callerTitle(caller)).toBe(title);
});

it.each([
  [
    record,
    '+$43 a month after the fee with $100 per call. 48 ranked calls: Win Rate 62.5%, Avg Return +12.3%. 0.5 SOL / month. @ada on SolCallers.',
  ],
  [
    { ...record, winRate: 0, avgReturn: -99.96, rankedCalls: 1, monthlyFee: null, afterFee: tooEarly },
    '1 ranked call: Win Rate 0.0%, Avg Return -100.0%. Free. @ada on SolCallers.',
  ],
  [
    { ...record, winRate: null, avgReturn: null, rankedCalls: 0, afterFee: tooEarly },
    'No ranked calls yet. 0.5 SOL / month. @ada on SolCallers.',
  ],
  [
    {
      ...record,
      afterFee: tooEarly,
      formerHolder: {
        firstName: 'Eve',
        lastName: 'Lee',
        twitterHandle: 'user-1900000000000000006',
        until: '2026-11-01T23:59:00.000Z',
      },
    },
    'Until Nov 1, 2026, this handle belonged to Eve Lee. 48 ranked calls: Win Rate 62.5%, Avg Return +12.3%. ' +
      '0.5 SOL / month. @ada on SolCallers.',
  ],
])('the description of the page of the caller %j is %s', (caller, description) => {
  expect(describeCallerPage(caller)).toBe(description);
});

it('the pages of a caller who lost the handle contain no handle', () => {
  const lost = { twitterHandle: 'user-1900000000000000006' };
  expect(describeCallerPage({ ...record, ...lost })).toMatch(/month\. Ada Byron on SolCallers\.$/);
  expect(describeCallPage({ ...call, caller: { ...ada, ...lost } })).toMatch(/called by Ada Byron\.$/);
  expect(callerTitle({ firstName: '', lastName: '', ...lost })).toBe('Unnamed');
});

it.each([
  [{ ...call, changePercent: 50 }, 'BONK +50.0% by Ada Byron'],
  [{ ...call, changePercent: -99.94 }, 'BONK -99.9% by Ada Byron'],
  [{ ...call, changePercent: 12_345.6 }, 'BONK +12,345.6% by Ada Byron'],
  [call, 'BONK by Ada Byron'],
  [{ ...call, tokenSymbol: '\u200b' }, 'DezX…B263 by Ada Byron'],
])('the title of the page of the call %j is %s', (titled, title) => {
  expect(callTitle(titled)).toBe(title);
});

const HELD = 'Entry $0.00002000, end $0.00003000, held 2d 4h.';
const BY = 'Bonk, called by Ada Byron (@ada).';

it.each<[Parameters<typeof describeCallPage>[0], string]>([
  [call, `${HELD} ${BY}`],
  [
    { ...call, tokenName: '\u200b', isPaidPromotion: true },
    `${HELD} Paid promotion. Called by Ada Byron (@ada).`,
  ],
  [{ ...call, unrankedReason: 'one_source' }, `${HELD} Unranked, so it counts in no figure. ${BY}`],
  [{ ...call, uncountedGainReason: 'short_hold' }, `${HELD} The gain counts as 0% in all figures. ${BY}`],
  [
    { ...call, endPrice: '0', automaticEnd: 'no_price' },
    'Entry $0.00002000, end $0, held 2d 4h. Ended automatically at 0, because no source had a price for 7 days. ' +
      BY,
  ],
  [{ ...call, automaticEnd: 'time_limit' }, `${HELD} Ended automatically after 30 days. ${BY}`],
])('the description of the page of the call %j is %s', (described, description) => {
  expect(describeCallPage(described)).toBe(description);
});

it('the description of a call’s page is one short line even with long names', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      (tokenName, firstName) => {
        const description = describeCallPage({
          ...call,
          tokenName,
          caller: { ...ada, firstName },
          isPaidPromotion: true,
        });
        expect(description).toMatch(
          /^Entry \$0\.00002000, end \$0\.00003000, held 2d 4h\. Paid promotion\. /,
        );
        expect(description.length).toBeLessThanOrEqual(200);
        expect(description).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(description.isWellFormed()).toBe(true);
      },
    ),
  );
});
