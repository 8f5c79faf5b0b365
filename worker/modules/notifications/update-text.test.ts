import { describe, expect, it } from 'vitest';
import { TELEGRAM_MESSAGE_MAX_LENGTH, UPDATE_MESSAGE_MAX_LENGTH } from '#schema/constants.ts';
import { composeUpdateText } from './update-text.ts';

const update = { callerName: 'Ada Byron', callerHandle: 'ada', tokenSymbol: 'WIF', message: 'Take half off.', callUrl: 'https://solcallers.test/caller/caller-1' };

describe('the text of an update', () => {
  it('has 200 of Telegram’s 4096 for what stands around the message', () => {
    expect([TELEGRAM_MESSAGE_MAX_LENGTH, TELEGRAM_MESSAGE_MAX_LENGTH - UPDATE_MESSAGE_MAX_LENGTH]).toEqual([4096, 200]);
  });

  it.each(['', 'x'])('cuts a head that is too long, between characters, and neither message nor link: after %j', (start) => {
    const message = 'm'.repeat(UPDATE_MESSAGE_MAX_LENGTH);
    const text = composeUpdateText({ ...update, callerName: `${start}${'🪁'.repeat(300)}`, message });
    const rest = `…\n\n${message}\n\n${update.callUrl}`;
    expect(text.endsWith(rest)).toBe(true);
    expect(text.slice(0, -rest.length)).toMatch(/^Update on \u2068WIF\u2069 from \u2068x?🪁+$/u);
    // As much as fits: a kite is two units.
    expect([4095, 4096]).toContain(text.length);
  });

  it('lets no name turn what stands around it: each is isolated, and its own controls are left out', () => {
    const head = (changes: Partial<typeof update>) => composeUpdateText({ ...update, ...changes }).split('\n')[0];
    expect(head({ callerName: 'عبد الرحمن', tokenSymbol: 'עברית' })).toBe('Update on \u2068עברית\u2069 from \u2068عبد الرحمن\u2069 (@ada)');
    expect(head({ callerName: 'Ada\u202E\u2066\u2069\u2069 Byron\u200F', tokenSymbol: '\u202DW\u061CIF\u200E' })).toBe('Update on \u2068WIF\u2069 from \u2068Ada Byron\u2069 (@ada)');
  });

  it('keeps names on one line', () => {
    expect(composeUpdateText({ ...update, callerName: 'Ada\n\nByron', tokenSymbol: 'W\tIF' })).toBe(`Update on \u2068W IF\u2069 from \u2068Ada Byron\u2069 (@ada)\n\nTake half off.\n\n${update.callUrl}`);
  });
});
