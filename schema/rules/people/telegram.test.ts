import { expect, it } from 'vitest';
import { UPDATE_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';
import { readTelegramHandle, readUpdateMessage, withAtSign } from './telegram.ts';

it.each([
  ['@Mina_Tele', 'Mina_Tele'],
  ['  mina_5  ', 'mina_5'],
  ['12345', '12345'],
  [`@${'x'.repeat(32)}`, 'x'.repeat(32)],
])('a Telegram username is read from %j as %s', (text, handle) =>
  expect(readTelegramHandle(text)).toEqual({ handle }),
);

it.each(['', '   '])('a Telegram username may be left out: %j', (text) => {
  expect(readTelegramHandle(text)).toEqual({ handle: null });
});

// Specification 5.21
it.each(['@', ' @ '])('an @ without a Telegram username is refused: %j', (text) => {
  expect(readTelegramHandle(text)).toEqual({ problem: 'Please enter your Telegram username' });
});

it.each([
  'mina',
  '@mina',
  'x'.repeat(33),
  'mi na_x',
  'mina-tele',
  '@@minatele',
  'минатг',
  'https://t.me/minatele',
  'minatele\nx',
])('a Telegram username is refused if invalid: %j', (text) => {
  expect(readTelegramHandle(text)).toEqual({
    problem: 'A Telegram username has 5 to 32 letters, digits and underscores.',
  });
});

// Specification 5.20
it.each([
  ['mina', '@mina'],
  ['@mina', '@mina'],
  ['@@mina', '@mina'],
  ['@', '@'],
  ['', ''],
  [' ', ''],
])('a Telegram username typed as %j becomes %j with an @', (typed, written) =>
  expect(withAtSign(typed)).toBe(written),
);

it.each([
  ['  Take half off.\n', { text: 'Take half off.', length: 14, problem: null }],
  [' \n\t ', { text: '', length: 0, problem: 'Please enter an update message' }],
  [' \u200B\u2060\n', { text: '', length: 0, problem: 'Please enter an update message' }],
  ['🪁', { text: '🪁', length: 2, problem: null }],
  ['\u202Ello\u0000s\r\nnow', { text: 'llos\nnow', length: 8, problem: null }],
  ['\u202E\u0007', { text: '', length: 0, problem: 'Please enter an update message' }],
])('an update typed as %j is read as %j', (typed, read) => expect(readUpdateMessage(typed)).toEqual(read));

// Specification 5.28, 9.12
it('an update may have at most 3896 UTF-16 units', () => {
  expect(UPDATE_MESSAGE_MAX_LENGTH).toBe(3896);
  expect(readUpdateMessage(` ${'x'.repeat(3896)} `).problem).toBeNull();
  expect(readUpdateMessage('x'.repeat(3897)).problem).toBe(
    'An update can have at most 3896 characters. Shorten it.',
  );
  expect(readUpdateMessage('🪁'.repeat(1948)).problem).toBeNull();
  expect(readUpdateMessage('🪁'.repeat(1949)).problem).not.toBeNull();
});
