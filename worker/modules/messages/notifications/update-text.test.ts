import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TELEGRAM_MESSAGE_MAX_LENGTH, UPDATE_MESSAGE_MAX_LENGTH } from '#schema/constants.ts';
import {
  anyLink,
  expectMessage,
  expectSameLines,
  hostileName,
  callerText,
} from '../../../test-support/messages/message-text.ts';
import { composeUpdateText } from './call-event-text.ts';

const update = {
  callerName: 'Ada Byron',
  callerHandle: 'ada',
  tokenSymbol: 'WIF',
  tokenName: 'dogwifhat',
  tokenMint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  message: 'Take half off.',
  callUrl: 'https://solcallers.test/call/0b7b0f1c-5d0a-4a52-9d4f-1f1f1f1f1f1f',
};

describe('the message about an update', () => {
  // Specification 9.12
  it('reserves 200 of Telegram’s 4096 characters for the text around the update', () => {
    expect([TELEGRAM_MESSAGE_MAX_LENGTH, TELEGRAM_MESSAGE_MAX_LENGTH - UPDATE_MESSAGE_MAX_LENGTH]).toEqual([
      4096, 200,
    ]);
  });

  it.each([
    ['Take half off.'],
    ['Take half off.\nStop at 1.80'],
    ['See https://chart.example, @ada /start #WIF $WIF'],
    ['<b>bold</b> *stars* [a](https://evil.example)'],
  ])('names the caller and the token and quotes the update unchanged: %j', (message) => {
    expect(composeUpdateText({ ...update, message })).toBe(
      `Update on \u2068WIF\u2069 from \u2068Ada Byron\u2069 (@\u2060ada)\n\n${message}\n\n${update.callUrl}`,
    );
  });

  it.each([
    [{ tokenSymbol: '\u200B' }, '\u2068dogwifhat\u2069'],
    [{ tokenSymbol: '\u200B', tokenName: ' ' }, 'EKpQ…zcjm'],
  ])('falls back to the token’s name or mint if its symbol is invisible: %j', (token, shown) => {
    expect(composeUpdateText({ ...update, ...token }).split('\n')[0]).toBe(
      `Update on ${shown} from \u2068Ada Byron\u2069 (@\u2060ada)`,
    );
  });

  // Specification 9.12
  it.each(['', 'x'])(
    'shortens a long name between characters and keeps handle, update and link whole (name begins with %j)',
    (start) => {
      const message = 'm'.repeat(UPDATE_MESSAGE_MAX_LENGTH);
      const text = composeUpdateText({ ...update, callerName: `${start}${'🪁'.repeat(300)}`, message });
      const rest = ` (@\u2060ada)\n\n${message}\n\n${update.callUrl}`;
      expect(text.endsWith(rest)).toBe(true);
      expect(text.slice(0, -rest.length)).toMatch(/^Update on \u2068WIF\u2069 from \u2068x?🪁+…\u2069$/u);
      // A kite emoji counts as two characters, so one character of the limit may stay unused.
      expect([4095, 4096]).toContain(text.length);
    },
  );

  it('keeps every update of the maximum length whole', () => {
    fc.assert(
      fc.property(hostileName, hostileName, (callerName, tokenSymbol) => {
        const message = 'm'.repeat(UPDATE_MESSAGE_MAX_LENGTH);
        const text = composeUpdateText({
          ...update,
          callerName,
          callerHandle: 'a_handle_of_15__',
          tokenSymbol,
          message,
        });
        expect(text.endsWith(`\n\n${message}\n\n${update.callUrl}`)).toBe(true);
      }),
    );
  });

  it('stays within the length limit, keeps the whole link, and gets no extra lines from a name', () => {
    fc.assert(
      fc.property(
        hostileName,
        hostileName,
        callerText,
        anyLink,
        (callerName, tokenSymbol, message, callUrl) => {
          expectMessage(
            composeUpdateText({
              ...update,
              callerName,
              callerHandle: callerName,
              tokenSymbol,
              message,
              callUrl,
            }),
            callUrl,
          );
          expectSameLines(
            composeUpdateText({ ...update, callerName, callerHandle: callerName, tokenSymbol }),
            composeUpdateText(update),
          );
        },
      ),
    );
  });
});
