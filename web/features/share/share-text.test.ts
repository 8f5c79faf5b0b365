import { expect, it } from 'vitest';
import { hasMention, weightedTweetLength } from '#schema/rules/text/tweet-text.ts';
import { hasEnded } from '#web/lib/calls/ended-call.ts';
import { endedCall } from '#web/testing/samples.ts';
import { defaultShareText, describeShareImage } from './share-text.ts';

it('the share texts of a caller who lost the handle contain no handle', () => {
  const caller = { ...endedCall.caller, twitterHandle: 'user-1900000000000000006' };
  const call = { ...endedCall, caller };
  if (!hasEnded(call)) throw new Error('The call has ended');
  expect(defaultShareText(call)).toMatch(/\n\non SolCallers, Ada Byron$/);
  expect(describeShareImage(call)).toMatch(/^Share image: Ada Byron called BONK/);
});

it('the suggested text shows the caller’s handle without making a mention, which X may refuse', () => {
  const call = { ...endedCall };
  if (!hasEnded(call)) throw new Error('The call has ended');
  expect(defaultShareText(call)).toMatch(/\n\non SolCallers, @\u2060ada$/);
  expect(hasMention(defaultShareText(call))).toBe(false);
});

it.each(['fair3d.me', '@somebody', '$CASH', '#tag', 'x.com/somebody'])(
  'the suggested tweet has the symbol %s as plain text, not as a link, a mention or a tag',
  (tokenSymbol) => {
    const call = { ...endedCall, tokenSymbol };
    if (!hasEnded(call)) throw new Error('The call has ended');
    const [first = ''] = defaultShareText(call).split('\n');
    expect(first.replaceAll('\u2060', '')).toBe(`${tokenSymbol} call ended: +50.0%`);
    expect(first.replace(/ call ended.*/, '')).not.toMatch(/[@$#.]\w/u);
    const invisible = first.split('\u2060').length - 1;
    expect(weightedTweetLength(first)).toBe(first.length + invisible);
  },
);
