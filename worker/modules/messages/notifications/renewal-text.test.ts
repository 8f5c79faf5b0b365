import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, TELEGRAM_MESSAGE_MAX_LENGTH } from '#schema/constants.ts';
import {
  anyLink,
  expectMessage,
  expectSameLines,
  hostileName,
} from '../../../test-support/messages/message-text.ts';
import { composeRenewalText } from './renewal-text.ts';

const endsAt = Date.parse('2026-12-03T00:05:00.000Z');
const renewal = {
  callerName: 'Ada Byron',
  callerHandle: 'ada',
  stage: 7,
  isFree: false,
  endsAt,
  now: endsAt - 7 * DAY_MS,
  fee: '0.5',
  profileUrl: 'https://solcallers.test/caller/caller-1',
} as const;

describe('the reminder', () => {
  it.each([
    [7, 7 * DAY_MS, 'ends in 7 days, on Dec 3, 2026 at 00:05 UTC.'],
    [7, 2 * DAY_MS, 'ends in 2 days, on Dec 3, 2026 at 00:05 UTC.'],
    [1, 60_000, 'ends within 24 hours, on Dec 3, 2026 at 00:05 UTC.'],
    [0, -DAY_MS, 'ended on Dec 3, 2026 at 00:05 UTC.'],
  ] as const)(
    'for the stage %s, %d ms before the end, says when the subscription ends',
    (stage, distance, words) => {
      expect(composeRenewalText({ ...renewal, stage, now: endsAt - distance }).split('\n')[0]).toBe(
        `Your subscription to \u2068Ada Byron\u2069 (@\u2060ada) ${words}`,
      );
    },
  );

  it.each([
    [
      7,
      '0.5',
      'Your free access to',
      'ends in 7 days, on Dec 3, 2026 at 00:05 UTC.',
      'Subscribe for 0.5 SOL: 30 days, added to the time you have left.',
    ],
    [
      0,
      '0.5',
      'Your free access to',
      'ended on Dec 3, 2026 at 00:05 UTC.',
      'Subscribe for 0.5 SOL: 30 days.',
    ],
    [
      7,
      null,
      'Your free access to',
      'ends in 7 days, on Dec 3, 2026 at 00:05 UTC.',
      'You cannot subscribe right now: the caller has no payout wallet.',
    ],
  ] as const)(
    'about a free follow offers to subscribe, not to renew (stage %s, fee %s SOL)',
    (stage, fee, what, ends, way) => {
      const text = composeRenewalText({ ...renewal, isFree: true, stage, fee });
      expect(text).toBe(
        `${what} \u2068Ada Byron\u2069 (@\u2060ada) ${ends}\n\n${way}\n\n${renewal.profileUrl}`,
      );
    },
  );

  it('has the same lines and text direction, whatever the name contains', () => {
    const head = composeRenewalText({ ...renewal, callerName: 'عبد\u202E\u2066\n\nالرحمن' }).split('\n')[0];
    expect(head).toBe(
      'Your subscription to \u2068عبد الرحمن\u2069 (@\u2060ada) ends in 7 days, on Dec 3, 2026 at 00:05 UTC.',
    );
  });

  it('shortens a long name so that the end date and the link stay complete', () => {
    const text = composeRenewalText({ ...renewal, callerName: '🪁'.repeat(3_000) });
    expect(text.length).toBeLessThanOrEqual(TELEGRAM_MESSAGE_MAX_LENGTH);
    expect(text).toMatch(/🪁…\u2069 \(@\u2060ada\) ends/u);
    expect(text.endsWith(`\n\n${renewal.profileUrl}`)).toBe(true);
  });

  it('stays within the length limit, and gets no extra lines from a name', () => {
    fc.assert(
      fc.property(hostileName, anyLink, (name, profileUrl) => {
        const text = composeRenewalText({ ...renewal, callerName: name, callerHandle: name, profileUrl });
        expectMessage(text, profileUrl);
        expectSameLines(text, composeRenewalText({ ...renewal, profileUrl }));
      }),
    );
  });
});
