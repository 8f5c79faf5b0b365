import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyLink,
  expectMessage,
  expectSameLines,
  hostileName,
} from '../../../test-support/messages/message-text.ts';
import { composeLevelHitText } from './call-event-text.ts';

const call = {
  callerName: 'Ada Byron',
  callerHandle: 'ada',
  tokenSymbol: 'WIF',
  tokenName: 'dogwifhat',
  tokenMint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  entryPrice: '2',
  targetPrice: '3',
  stopPrice: '1.5',
  level: 'target',
  levelPrice: '3.25',
  callUrl: 'https://solcallers.test/call/call-1',
} as const;
const TOKEN = '\u2068WIF\u2069 (\u2068dogwifhat\u2069) by \u2068Ada Byron\u2069 (@\u2060ada)';
const END = 'The call is still active.\n\nhttps://solcallers.test/call/call-1';

describe('the message about a hit level', () => {
  it('names the target, the price and the change since the entry', () => {
    expect(composeLevelHitText(call)).toBe(
      `Target hit: ${TOKEN}\n\nTarget: $3.0000\nPrice: $3.2500\nEntry: $2.0000 (+62.5%)\n${END}`,
    );
  });

  it('names the stop and the loss', () => {
    expect(composeLevelHitText({ ...call, level: 'stop', levelPrice: '1.4' })).toBe(
      `Stop hit: ${TOKEN}\n\nStop: $1.5000\nPrice: $1.4000\nEntry: $2.0000 (-30.0%)\n${END}`,
    );
  });

  it('has the same lines, the whole link and a length within the limit, whatever the names contain', () => {
    fc.assert(
      fc.property(
        hostileName,
        hostileName,
        hostileName,
        anyLink,
        (callerName, tokenSymbol, tokenName, callUrl) => {
          const names = { callerName, callerHandle: callerName, tokenSymbol, tokenName };
          expectMessage(composeLevelHitText({ ...call, ...names, callUrl }), callUrl);
          expectSameLines(composeLevelHitText({ ...call, ...names }), composeLevelHitText(call));
        },
      ),
    );
  });
});
