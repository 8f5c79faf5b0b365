import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyLink,
  expectMessage,
  expectSameLines,
  hostileName,
} from '../../../test-support/messages/message-text.ts';
import { composePaymentReceivedText } from './payment-received-text.ts';

const payment = {
  subscriber: { name: 'Mina Tele', handle: 'mina_x' },
  callerLamports: 450_000_000n,
  endsAt: Date.parse('2026-12-03T00:05:00.000Z'),
  earningsUrl: 'https://solcallers.test/payments/earnings',
};
const REST =
  'Their subscription runs until Dec 3, 2026 at 00:05 UTC.\n\nhttps://solcallers.test/payments/earnings';

describe('the message about a payment', () => {
  it.each([
    [
      'names a subscriber whose name is public',
      {},
      `You received 0.45 SOL from \u2068Mina Tele\u2069 (@\u2060mina_x).\n\n${REST}`,
    ],
    [
      'does not name any other subscriber',
      { subscriber: null },
      `You received 0.45 SOL from a subscriber.\n\n${REST}`,
    ],
    [
      'shows the exact amount, to the last lamport',
      { subscriber: null, callerLamports: 123_456_789_000_000_001n },
      `You received 123456789.000000001 SOL from a subscriber.\n\n${REST}`,
    ],
  ])('%s', (_what, changes, text) => {
    expect(composePaymentReceivedText({ ...payment, ...changes })).toBe(text);
  });

  it('stays within the length limit, keeps the whole link, and gets no extra lines from a name', () => {
    fc.assert(
      fc.property(hostileName, hostileName, anyLink, (name, handle, earningsUrl) => {
        // Uses a whole amount, because `expectSameLines` would take a decimal point for a link.
        const whole = { ...payment, callerLamports: 2_000_000_000n, earningsUrl };
        const text = composePaymentReceivedText({ ...whole, subscriber: { name, handle } });
        expectMessage(text, earningsUrl);
        expectSameLines(text, composePaymentReceivedText(whole));
      }),
    );
  });
});
