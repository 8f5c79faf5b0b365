import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TELEGRAM_MESSAGE_MAX_LENGTH, UPDATE_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import {
  anyLink,
  callerText,
  expectMessage,
  expectSameLines,
  hostileName,
} from '#test/messages/message-text.ts';
import { composeCallEventText } from './call-event-text.ts';
import type { CallEventRow } from '../notifications/call-events.repository.ts';
import {
  composePaymentReceivedText,
  composePaymentRefundedText,
  composeRefundAskedText,
  composeSilenceText,
} from './notice-texts.ts';
import { composeRenewal } from './renewal-text.ts';
import type { FoundRenewal } from './renewals.service.ts';

const LINK = 'https://solcallers.test/call/0b7b0f1c-5d0a-4a52-9d4f-1f1f1f1f1f1f';
const TOKEN = '\u2068WIF\u2069 (\u2068dogwifhat\u2069) by \u2068Ada Byron\u2069 (@\u2060ada)';
/** The columns of a database row that the texts need. */
const row = {
  first_name: 'Ada Byron',
  last_name: '',
  twitter_handle: 'ada',
  tokenSymbol: 'WIF',
  tokenName: 'dogwifhat',
  tokenMint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  entryPrice: '2',
  calledAt: 0,
  endedAt: null,
  thesis: null,
  targetPrice: null,
  stopPrice: null,
  isPaidPromotion: false,
  unrankedReason: null,
  uncountedGainReason: null,
  automaticEnd: null,
} as unknown as CallEventRow;
const textOf = (changes: Partial<CallEventRow>, link = LINK) =>
  composeCallEventText({ ...row, ...changes }, link) ?? '';
const opened: Partial<CallEventRow> = { kind: 'call_opened', entryPrice: '2.5' };
const ended: Partial<CallEventRow> = {
  kind: 'call_ended',
  endPrice: '4',
  changePercent: 100,
  endedAt: 3 * HOUR_MS + 20 * MINUTE_MS,
};
const hit: Partial<CallEventRow> = {
  kind: 'level_hit',
  targetPrice: '3',
  stopPrice: '1.5',
  level: 'target',
  levelPrice: '3.25',
};
const update: Partial<CallEventRow> = { kind: 'call_update', message: 'Take half off.' };
const payment = {
  ...row,
  first_name: 'Mina',
  last_name: 'Tele',
  twitter_handle: 'mina_x',
  callerLamports: 450_000_000n,
  paidBack: 0,
  paidAt: 0,
  signature: 's',
  payerAddress: 'payer',
  endsAt: Date.parse('2026-12-03T00:05:00.000Z'),
};
const notPublic = { first_name: null, last_name: null, twitter_handle: null };
const { endsAt } = payment;
const renewal = {
  caller: row,
  stage: 7,
  isFree: false,
  endsAt,
  bought: 30,
  now: endsAt - 7 * DAY_MS,
  fee: '0.5',
  callerId: 'caller-1',
  writtenEnd: endsAt,
} satisfies FoundRenewal;
const PROFILE = 'https://solcallers.test/caller/caller-1';
const composeRenewalText = (changes: Partial<FoundRenewal>, profileUrl = PROFILE) =>
  composeRenewal({ ...renewal, ...changes }, profileUrl).text;

const openedText = `New call: ${TOKEN}\n\nToken: EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm\nEntry: $2.5000`;

it.each<[string, object, string]>([
  ['without optional terms', {}, openedText],
  [
    'with a target and a stop',
    { targetPrice: '5', stopPrice: '0.001234' },
    `${openedText}\nTarget: $5.0000\nStop: $0.00123400`,
  ],
  [
    'that is a paid promotion',
    { isPaidPromotion: true },
    `${openedText}\nPaid promotion: the caller is paid for this call.`,
  ],
  [
    'with a thesis',
    { thesis: 'The hat stays on.\nSee https://hat.example' },
    `${openedText}\n\nThe hat stays on.\nSee https://hat.example`,
  ],
  ['with a tiny entry price', { entryPrice: '0.00000001' }, openedText.replace('2.5000', '0.00000001')],
])('the message about a new call describes a call %s', (_case, changes, text) => {
  expect(textOf({ ...opened, ...changes })).toBe(`${text}\n\n${LINK}`);
});

it.each([
  ['a win', 4, 100, 'Result: +100.0%\nEnd: $4.0000'],
  ['a loss', 0.002, -99.9, 'Result: -99.9%\nEnd: $0.00200000'],
  ['an unchanged price', 2, 0, 'Result: 0.0%\nEnd: $2.0000'],
  ['a gain of over 10,000%', 248.9, 12_345, 'Result: +12,345.0%\nEnd: $248.9000'],
])(
  'the message about an ended call shows result, entry, end and duration of %s',
  (_what, endPrice, changePercent, facts) => {
    expect(textOf({ ...ended, endPrice: String(endPrice), changePercent })).toBe(
      `Call ended: ${TOKEN}\n\n${facts}\nHeld: 3h 20m\nEntry: $2.0000\n\n${LINK}`,
    );
  },
);

it.each([
  [{ automaticEnd: 'time_limit' }, 'Ended automatically after 30 days.'],
  [{ automaticEnd: 'no_price' }, 'Ended automatically at 0, because no source had a price for 7 days.'],
  [{ unrankedReason: 'one_source' }, 'Unranked, so it counts in no figure.'],
  [{ uncountedGainReason: 'short_hold' }, 'The gain counts as 0% in all figures.'],
] as const)('the message about an ended call explains: %j', (how, line) =>
  expect(textOf({ ...ended, ...how })).toContain(`\n${line}\n`),
);

it.each([
  ['target', '3.25', 'Target hit', 'Target: $3.0000\nPrice: $3.2500\nEntry: $2.0000 (+62.5%)'],
  ['stop', '1.4', 'Stop hit', 'Stop: $1.5000\nPrice: $1.4000\nEntry: $2.0000 (-30.0%)'],
] as const)(
  'the message about a hit %s shows the level, the price %s and the change since the entry',
  (level, levelPrice, head, facts) =>
    expect(textOf({ ...hit, level, levelPrice })).toBe(
      `${head}: ${TOKEN}\n\n${facts}\nThe call is still active.\n\n${LINK}`,
    ),
);

// Specification 9.12
it('the maximum length of an update reserves 200 of Telegram’s 4096 characters for the surrounding text', () => {
  expect([TELEGRAM_MESSAGE_MAX_LENGTH, TELEGRAM_MESSAGE_MAX_LENGTH - UPDATE_MESSAGE_MAX_LENGTH]).toEqual([
    4096, 200,
  ]);
});

it.each([
  ['Take half off.'],
  ['Take half off.\nStop at 1.80'],
  ['See https://chart.example, @ada /start #WIF $WIF'],
  ['<b>bold</b> *stars* [a](https://evil.example)'],
])('the message about an update names caller and token and quotes the update unchanged: %j', (message) => {
  expect(textOf({ ...update, message })).toBe(
    `Update on \u2068WIF\u2069 from \u2068Ada Byron\u2069 (@\u2060ada)\n\n${message}\n\n${LINK}`,
  );
});

it('the message about an update of the maximum length contains the whole update', () => {
  fc.assert(
    fc.property(hostileName, hostileName, (first_name, tokenSymbol) => {
      const message = 'm'.repeat(UPDATE_MESSAGE_MAX_LENGTH);
      const text = textOf({
        ...update,
        first_name,
        twitter_handle: 'a_handle_of_15__',
        tokenSymbol,
        message,
      });
      expect(text.endsWith(`\n\n${message}\n\n${LINK}`)).toBe(true);
    }),
  );
});

const periodText = `Their subscription runs until Dec 3, 2026 at 00:05 UTC.\n\n${LINK}`;

it.each([
  ['names a subscriber whose name is public', {}, '0.45 SOL from \u2068Mina Tele\u2069 (@\u2060mina_x)'],
  ['does not name any other subscriber', notPublic, '0.45 SOL from a subscriber'],
  [
    'shows the exact amount, to the last lamport',
    { ...notPublic, callerLamports: 123_456_789_000_000_001n },
    '123456789.000000001 SOL from a subscriber',
  ],
])('the message about a payment %s', (_what, changes, text) => {
  expect(composePaymentReceivedText({ ...payment, ...changes }, LINK)).toBe(
    `You received ${text}.\n\n${periodText}`,
  );
});

it('the reminder of a short period says how many days of it are left', () => {
  const text = composeRenewalText({ stage: 3, bought: 7, now: endsAt - 3 * DAY_MS });
  expect(text).toContain('has 3 days left of 7, until Dec 3, 2026 at 00:05 UTC.');
});

it.each([
  [
    7,
    '0.5',
    'ends in 7 days, on',
    'Subscribe for 0.5 SOL: 30 days, added to the time you have left.',
    `${PROFILE}#subscribe`,
  ],
  [0, '0.5', 'ended on', 'Subscribe for 0.5 SOL: 30 days.', `${PROFILE}#subscribe`],
  [7, null, 'ends in 7 days, on', 'You cannot subscribe: the caller takes no payments now.', PROFILE],
] as const)(
  'the reminder about a free follow offers to subscribe, not to renew (stage %s, fee %s SOL)',
  (stage, fee, ends, way, link) => {
    expect(composeRenewalText({ isFree: true, stage, fee })).toBe(
      `Your free access to \u2068Ada Byron\u2069 (@\u2060ada) ${ends} Dec 3, 2026 at 00:05 UTC.\n\n${way}\n\n${link}`,
    );
  },
);

interface Contents {
  readonly name: string;
  readonly handle: string;
  readonly symbol: string;
  readonly tokenName: string;
  /** The caller's text; null if there is none. */
  readonly words: string | null;
  readonly link: string;
}

const namesOf = ({ name, handle, symbol, tokenName }: Contents) => ({
  first_name: name,
  twitter_handle: handle,
  tokenSymbol: symbol,
  tokenName,
});
const terms = { targetPrice: '999999999', stopPrice: '0.00000001', isPaidPromotion: true };
/** Whole amounts, because `expectSameLines` would take a decimal point for a link. */
const sums = { lamports: 2_000_000_000n, callerLamports: 2_000_000_000n };

it.each(
  Object.entries<(names: ReturnType<typeof namesOf>, contents: Contents) => string>({
    'a new call': (names, { words, link }) => textOf({ ...opened, ...terms, ...names, thesis: words }, link),
    'an ended call': (names, { link }) => textOf({ ...ended, ...names }, link),
    'a hit level': (names, { link }) => textOf({ ...hit, ...names }, link),
    'an update': (names, { words, link }) => textOf({ ...update, ...names, message: words ?? 'Text' }, link),
    'a payment': (names, { link }) =>
      composePaymentReceivedText({ ...payment, ...names, last_name: '', ...sums }, link),
    'a refund': (names, { link }) =>
      composePaymentRefundedText({ ...row, ...sums, isRefunded: 1, signature: 's', ...names }, link),
    'a request for a refund': (names, { link }) =>
      composeRefundAskedText(
        { ...payment, ...sums, payerAddress: 'p', signature: 's', ...names, last_name: '' },
        link,
      ),
    'a silence': (names, { link }) => composeSilenceText({ ...row, since: 1, endsAt: 2, ...names }, link),
    'a renewal': (names, { link }) => composeRenewalText({ caller: { ...row, ...names }, fee: null }, link),
  }),
)(
  'the message about %s stays within the length limit and gets no extra lines or links from names',
  (_what, compose) => {
    const contents = fc.record({
      name: hostileName,
      handle: hostileName,
      symbol: hostileName,
      tokenName: hostileName,
      words: fc.option(callerText),
      link: anyLink,
    });
    const plain = { name: 'Ada Byron', handle: 'ada', symbol: 'WIF', tokenName: 'dogwifhat', words: null };
    fc.assert(
      fc.property(contents, (each) => {
        const write = (what: Contents) => compose(namesOf(what), what);
        expectMessage(write(each), each.link);
        expectSameLines(write({ ...each, words: null }), write({ ...plain, link: each.link }));
      }),
    );
  },
);
