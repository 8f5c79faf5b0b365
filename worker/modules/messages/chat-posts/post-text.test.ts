import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TELEGRAM_MESSAGE_MAX_LENGTH, UPDATE_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';
import type { PostedCall } from './chat-posts.repository.ts';
import { composePostText, type PostContent } from './post-text.ts';

const AT = Date.UTC(2026, 11, 3, 10);
const call = {
  id: 'c',
  callerId: 'amara',
  tokenMint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  tokenSymbol: 'WIF',
  tokenName: 'dogwifhat',
  first_name: 'Amara',
  last_name: '',
  twitter_handle: 'amara',
  entryPrice: '2',
  entryMarketCapUsd: 2_000_000_000,
  entrySafety: null,
  calledAt: AT,
  targetPrice: null,
  stopPrice: null,
  targetHitAt: null,
  stopHitAt: null,
  isPaidPromotion: false,
  unrankedReason: null,
  uncountedGainReason: null,
  automaticEnd: null,
  endPrice: null,
  endedAt: null,
  changePercent: null,
  thesis: null,
} as unknown as PostedCall;
const callUrl = 'https://solcallers.test/call/c';
const write = (changes: Partial<PostedCall>, rest: Partial<PostContent> = {}) =>
  composePostText({ call: { ...call, ...changes }, updates: [], hasOlderUpdates: false, callUrl, ...rest });
const linesOf = (text: string) => text.replaceAll(/[\u2060\u2068\u2069]/gu, '').split('\n');

describe('composePostText', () => {
  it('the post of a call has its terms, and “Unknown” for missing facts', () => {
    expect(linesOf(write({ entryMarketCapUsd: null }))).toEqual([
      'Call: WIF (dogwifhat) by Amara (@amara)',
      `Token: ${call.tokenMint}`,
      'Entry: $2.0000 on Dec 3, 2026 at 10:00 UTC, market cap unknown',
      'Safety: Unknown',
      '',
      callUrl,
    ]);
  });

  it('the post of a call says when the target was hit, and that the call is a promotion and unranked', () => {
    const text = write({
      targetPrice: '3',
      targetHitAt: AT + 60_000,
      stopPrice: '1',
      isPaidPromotion: true,
      unrankedReason: 'micro_cap',
    });
    const lines = linesOf(text);
    expect(lines).toContain(
      'Target: $3.0000, hit on Dec 3, 2026 at 10:01 UTC · Stop: $1.0000 · ' +
        'Paid promotion: the caller is paid for this call. · Micro-cap, so it counts in no ranking.',
    );
    expect(lines.filter((line) => line !== '')).toHaveLength(6);
  });

  it('the post of an ended call begins with the result and how the result counts', () => {
    const text = write({
      endPrice: '1',
      endedAt: AT + 3_600_000,
      changePercent: -50,
      automaticEnd: 'time_limit',
      unrankedReason: 'micro_cap',
    });
    expect(linesOf(text)).toEqual([
      'Call ended: WIF (dogwifhat) by Amara (@amara)',
      'Result: -50.0% · End: $1.0000 · Held: 1h · Ended automatically after 30 days.',
      `Token: ${call.tokenMint}`,
      'Entry: $2.0000 on Dec 3, 2026 at 10:00 UTC, market cap $2.0B',
      'Micro-cap, so it counts in no ranking.',
      '',
      callUrl,
    ]);
  });

  it('the post of a call omits old updates that do not fit, and says that they are on the call’s page', () => {
    const updates = ['a', 'b', 'c'].map((letter, index) => ({
      message: letter.repeat(1_500),
      at: AT + index,
    }));
    const text = write({ thesis: 'The thesis.' }, { updates });
    expect(text).toContain('The thesis.\n\nOlder updates are on the call’s page.\n\nUpdate on ');
    expect(text).not.toContain('aaa');
    expect(text).toContain('b'.repeat(1_500));
    expect(text).toContain('c'.repeat(1_500));
  });

  it('the post of a call has the whole newest update or says where it is, has the link, and fits Telegram’s limit', () => {
    const message = fc.string({ unit: 'grapheme', minLength: 1, maxLength: UPDATE_MESSAGE_MAX_LENGTH });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        fc.string({ unit: 'grapheme', maxLength: 500 }),
        fc.string({ maxLength: 1_000 }),
        (messages, thesis, name) => {
          const updates = messages.map((text, index) => ({ message: text, at: AT + index }));
          const text = write({ thesis, tokenName: name, first_name: name }, { updates });
          expect(text.length).toBeLessThanOrEqual(TELEGRAM_MESSAGE_MAX_LENGTH);
          expect(text.endsWith(callUrl)).toBe(true);
          const newest = messages.at(-1) ?? '';
          expect(text.includes(newest) || text.includes('All updates are on the call’s page.')).toBe(true);
        },
      ),
    );
  });
});
