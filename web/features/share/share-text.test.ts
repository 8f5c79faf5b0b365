import { expect, it } from 'vitest';
import { hasEnded } from '#web/lib/calls/ended-call.ts';
import { endedCall } from '#web/testing/samples.ts';
import { defaultShareText, describeShareImage } from './share-text.ts';

it('the share texts of a caller who lost the handle contain no handle', () => {
  const caller = { ...endedCall.caller, twitterHandle: 'user-1900000000000000006' };
  const call = { ...endedCall, caller };
  if (!hasEnded(call)) throw new Error('The call has ended');
  expect(defaultShareText(call)).toMatch(/\n\nAda Byron on SolCallers$/);
  expect(describeShareImage(call)).toMatch(/^Share image: Ada Byron called BONK/);
});
