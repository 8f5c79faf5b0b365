import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#schema/constants.ts';
import {
  anyLink,
  expectMessage,
  expectSameLines,
  hostileName,
} from '../../../test-support/messages/message-text.ts';
import { composeCallEndedText } from './call-event-text.ts';

const call = {
  callerName: 'Ada Byron',
  callerHandle: 'ada',
  tokenSymbol: 'WIF',
  tokenName: 'dogwifhat',
  tokenMint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  entryPrice: '2',
  endPrice: '4',
  changePercent: 100,
  heldMs: 3 * HOUR_MS + 20 * MINUTE_MS,
  unrankedReason: null,
  uncountedGainReason: null,
  automaticEnd: null,
  callUrl: 'https://solcallers.test/call/call-1',
};

describe('the message about an ended call', () => {
  it.each([
    ['a win', 4, 100, 'Result: +100.0%\nEntry: $2.0000\nEnd: $4.0000'],
    ['a loss', 0.002, -99.9, 'Result: -99.9%\nEntry: $2.0000\nEnd: $0.00200000'],
    ['an unchanged price', 2, 0, 'Result: 0.0%\nEntry: $2.0000\nEnd: $2.0000'],
    ['a gain of over 10,000%', 248.9, 12_345, 'Result: +12,345.0%\nEntry: $2.0000\nEnd: $248.9000'],
  ])('shows result, entry, end and duration of %s', (_what, endPrice, changePercent, facts) => {
    expect(composeCallEndedText({ ...call, endPrice: String(endPrice), changePercent })).toBe(
      `Call ended: \u2068WIF\u2069 (\u2068dogwifhat\u2069) by \u2068Ada Byron\u2069 (@\u2060ada)\n\n${facts}\nHeld: 3h 20m\n\nhttps://solcallers.test/call/call-1`,
    );
  });

  it.each([
    ['time_limit', 'Ended automatically after 90 days.'],
    ['no_price', 'Ended automatically at 0, because no source had a price for 7 days.'],
  ] as const)('says that the call was ended automatically (%s)', (automaticEnd, line) =>
    expect(composeCallEndedText({ ...call, automaticEnd })).toContain(`\nHeld: 3h 20m\n${line}\n\n`),
  );

  it.each([
    [{ unrankedReason: 'thin_liquidity' }, 'Unranked, so it counts in no figure.'],
    [{ uncountedGainReason: 'short_hold' }, 'The gain counts as 0% in all figures.'],
  ] as const)('says that the call or its gain does not count (%j)', (reason, line) =>
    expect(composeCallEndedText({ ...call, ...reason })).toContain(`\nHeld: 3h 20m\n${line}\n\n`),
  );

  it('stays within the length limit, keeps the whole link, and gets no extra lines from a name', () => {
    fc.assert(
      fc.property(
        hostileName,
        hostileName,
        hostileName,
        anyLink,
        (callerName, tokenSymbol, tokenName, callUrl) => {
          const text = composeCallEndedText({
            ...call,
            callerName,
            callerHandle: callerName,
            tokenSymbol,
            tokenName,
            callUrl,
          });
          expectMessage(text, callUrl);
          expectSameLines(text, composeCallEndedText({ ...call, callUrl }));
        },
      ),
    );
  });
});
