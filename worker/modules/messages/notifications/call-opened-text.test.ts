import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyLink,
  expectMessage,
  expectSameLines,
  hostileName,
  callerText,
} from '../../../test-support/messages/message-text.ts';
import { composeCallOpenedText } from './call-event-text.ts';

const call = {
  callerName: 'Ada Byron',
  callerHandle: 'ada',
  tokenSymbol: 'WIF',
  tokenName: 'dogwifhat',
  tokenMint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  entryPrice: '2.5',
  thesis: null,
  targetPrice: null,
  stopPrice: null,
  isPaidPromotion: false,
  callUrl: 'https://solcallers.test/call/call-1',
};
const HEAD =
  'New call: \u2068WIF\u2069 (\u2068dogwifhat\u2069) by \u2068Ada Byron\u2069 (@\u2060ada)\n\nMint: EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm\nEntry: $2.5000';
const LINK = '\n\nhttps://solcallers.test/call/call-1';

describe('the message about a new call', () => {
  it.each<[string, Partial<typeof call> | object, string]>([
    ['without optional terms', {}, `${HEAD}${LINK}`],
    [
      'with a target and a stop',
      { targetPrice: '5', stopPrice: '0.001234' },
      `${HEAD}\nTarget: $5.0000\nStop: $0.00123400${LINK}`,
    ],
    [
      'that is a paid promotion',
      { isPaidPromotion: true },
      `${HEAD}\nPaid promotion: the caller is paid for this call.${LINK}`,
    ],
    [
      'with a thesis',
      { thesis: 'The hat stays on.\nSee https://hat.example' },
      `${HEAD}\n\nThe hat stays on.\nSee https://hat.example${LINK}`,
    ],
    [
      'with a tiny entry price',
      { entryPrice: '0.00000001' },
      `${HEAD.replace('2.5000', '0.00000001')}${LINK}`,
    ],
  ])('describes a call %s', (_case, changes, text) => {
    expect(composeCallOpenedText({ ...call, ...changes })).toBe(text);
  });

  it('stays within the length limit and keeps the whole link for any input', () => {
    fc.assert(
      fc.property(
        hostileName,
        hostileName,
        hostileName,
        fc.option(callerText),
        anyLink,
        (callerName, tokenSymbol, tokenName, thesis, callUrl) => {
          const terms = { targetPrice: '999999999', stopPrice: '0.00000001', isPaidPromotion: true };
          expectMessage(
            composeCallOpenedText({
              ...call,
              ...terms,
              callerName,
              callerHandle: callerName,
              tokenSymbol,
              tokenName,
              thesis,
              callUrl,
            }),
            callUrl,
          );
        },
      ),
    );
  });

  it('has the same lines, whatever the names contain', () => {
    fc.assert(
      fc.property(hostileName, hostileName, hostileName, (callerName, tokenSymbol, tokenName) => {
        expectSameLines(
          composeCallOpenedText({ ...call, callerName, callerHandle: callerName, tokenSymbol, tokenName }),
          composeCallOpenedText(call),
        );
      }),
    );
  });
});
