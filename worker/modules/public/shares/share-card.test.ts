import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SHARE_IMAGE } from '#schema/constants/public.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { EndedCall } from '#schema/contracts/calls.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { monthsAfterFee, sampleCall, sampleRecord } from '#test/images/card-cases.ts';
import { drawCallerCard, type CallerRecord } from './caller-card.ts';
import type { CardPerson } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { SMALLEST_TEXT } from './card-layout.ts';
import { measure } from './card-text.ts';
import { drawShareCard } from './share-card.ts';

const ada: CardPerson = { name: 'Ada Byron', handle: 'ada', isVerified: true, avatar: null };
const call: EndedCall = {
  ...sampleCall,
  callTimestamp: new Date(0).toISOString(),
  endTimestamp: new Date(27 * HOUR_MS).toISOString(),
};

const host = 'solcallers.example';
const drawCall = (changes: Partial<EndedCall> = {}, person: Partial<CardPerson> = {}) =>
  drawShareCard({ call: { ...call, ...changes }, caller: { ...ada, ...person }, record: sampleRecord, host });
const drawCaller = (changes: Partial<CallerRecord> = {}, person: Partial<CardPerson> = {}) =>
  drawCallerCard({ record: { ...sampleRecord, ...changes }, caller: { ...ada, ...person }, host });
const LOST_HANDLE = { handle: 'user-1900000000000000006' };
const ended = (entryPrice: string, endPrice: string) => ({
  entryPrice,
  endPrice,
  changePercent: changePercent(entryPrice, endPrice),
});

const textSizes = (svg: string) => [...svg.matchAll(/font-size="([^"]+)"/g)].map(([, size]) => Number(size));
const sizeOf = (svg: string, words: RegExp) =>
  Number(new RegExp(`font-size="([\\d.]+)"[^>]*>${words.source}<`).exec(svg)?.[1]);
/** The position of each text on a card. Widths are upper bounds from the font metrics. */
const extents = (svg: string) =>
  [
    ...svg.matchAll(
      /<text x="([^"]+)" y="([^"]+)" font-family="([^"]+)" font-weight="([^"]+)" font-size="([^"]+)" fill="[^"]+" text-anchor="([^"]+)" letter-spacing="([^"]+)"[^>]*>([^<]*)</g,
    ),
  ].map(([, x, y, family, weight, size, anchor, spacing, escaped = '']) => {
    const text = escaped
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/\p{Bidi_Control}/gu, '');
    const geist = weight === '600' ? faces.semibold : faces.regular;
    const face = family === 'Geist Mono' ? faces.mono : geist;
    const width = measure(text, face) * Number(size) + text.length * Number(spacing);
    const from = Number(x) - width * ({ middle: 0.5, end: 1 }[anchor ?? ''] ?? 0);
    return { text, from, to: from + width, top: Number(y) - 0.75 * Number(size), baseline: Number(y) };
  });

const text = fc.oneof(
  fc.string({ maxLength: 80, unit: 'grapheme' }),
  fc.string({ maxLength: 60, unit: fc.constantFrom(...'AWwİé1 .!(لا ل عبد שלום狗🪁<&"'.split('')) }),
);
const price = fc
  .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: -8, max: 18 }))
  .map(([digits, power]) => (digits * 10 ** (power - 6)).toFixed(14).replace(/^0\.0+$/, '0.00000000000001'));
const person = fc.record({
  name: text,
  handle: fc.stringMatching(/^\w{1,15}$/),
  isVerified: fc.boolean(),
  avatar: fc.constant(null),
});

function expectReadable(svg: string): void {
  expect(Math.min(...textSizes(svg))).toBeGreaterThanOrEqual(SMALLEST_TEXT);
  const texts = extents(svg);
  expect(texts).toHaveLength(svg.split('<text').length - 1);
  for (const { text: words, from, to, top, baseline } of texts) {
    expect({
      words,
      isInside:
        from >= 40 && to <= SHARE_IMAGE.width - 40 && top >= 30 && baseline <= SHARE_IMAGE.height - 30,
    }).toEqual({ words, isInside: true });
  }
}

// Specification 9.14
it('every card has texts that are legible at a third of its width and stay within the margins', () => {
  expect(SMALLEST_TEXT).toBe(33);
  fc.assert(
    fc.property(
      person,
      text,
      text,
      price,
      price,
      fc.integer({ min: 0, max: 1e12 }),
      fc.boolean(),
      (caller, tokenName, tokenSymbol, entryPrice, endPrice, endedAt, isPaidPromotion) => {
        expectReadable(
          drawCall(
            {
              tokenName,
              tokenSymbol,
              ...ended(entryPrice, endPrice),
              endTimestamp: new Date(endedAt).toISOString(),
              isPaidPromotion,
            },
            caller,
          ),
        );
      },
    ),
    { numRuns: 300 },
  );
  const rate = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));
  fc.assert(
    fc.property(
      person,
      rate,
      fc.option(fc.double({ min: -100, max: 1e27, noNaN: true })),
      rate,
      fc.nat(9_999_999),
      fc.constantFrom(null, '0', '0.01', '123456.123456789', '1000000'),
      fc.integer({ min: -1e12, max: 1e12 }),
      (caller, winRate, avgReturn, proven, rankedCalls, monthlyFee, ppm) => {
        const afterFee = monthsAfterFee({ ppm: [ppm, ppm, ppm], sol: -ppm }, Number(monthlyFee));
        expectReadable(drawCaller({ winRate, avgReturn, proven, rankedCalls, monthlyFee, afterFee }, caller));
      },
    ),
    { numRuns: 300 },
  );
});

it('every card has the site’s address and the caller’s record', () => {
  for (const svg of [drawCall(), drawCaller()]) {
    expect(svg).toContain(`>${host}<`);
    expect(svg).toContain('>15 of 24 ranked calls won<');
  }
  const first = drawCaller({ winRate: 100, rankedCalls: 1 });
  expect(first).toContain('>1 of 1 ranked call won<');
  expect(drawCaller({ winRate: null, rankedCalls: 0 })).toContain('>No ranked calls yet<');
});

it('a caller’s card leads with the gain after the fee, with stake, SOL and break-even below it', () => {
  const svg = drawCaller();
  expect(sizeOf(svg, /\+\$53/)).toBe(Math.max(...textSizes(svg)));
  const words = extents(svg).map(({ text }) => text);
  expect(words.slice(words.indexOf('+$53')).join(' ')).toMatch(
    /^\+\$53 a month after the fee with \$100 per call\. Holding SOL: -\$19\. Up to \$1,500 at once\. Pays for itself from about \$59 per call\./,
  );
});

it('the percentage is the largest text on a call’s card', () => {
  fc.assert(
    fc.property(price, price, (entryPrice, endPrice) => {
      const sizes = textSizes(drawCall(ended(entryPrice, endPrice))).toSorted((one, other) => other - one);
      const svg = drawCall(ended(entryPrice, endPrice));
      expect(sizeOf(svg, /[+-]?[\d,.KMBTe+]+%/)).toBe(sizes[0]);
      expect(sizes[0]).toBeGreaterThan(sizes[1] ?? 0);
    }),
  );
});

it('the cards of a call and of a caller draw markup as text', () => {
  for (const svg of [
    drawCall({ tokenName: '</text><rect>', tokenSymbol: '&amp;' }, { name: '<script>&"\'' }),
    drawCaller({}, { name: '<script>&"\'' }),
  ]) {
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('</text><rect>');
    expect(svg).toContain('&#60;script&#62;&#38;&#34;&#39;');
  }
});

it.each(['\f', '\u0000', '\u001b', '\ufffe', '\u202e', '\ud800'])(
  'a card leaves out an invalid or invisible character of a handle: %j',
  (character) => {
    const handle = `a${character}da`;
    for (const svg of [drawCall({}, { handle }), drawCaller({}, { handle })]) {
      expect(svg).not.toContain(character);
      expect(svg).toMatch(/>@a ?da</);
    }
  },
);

it('a card discloses a paid promotion, whatever the token’s name', () => {
  expect(drawCall()).not.toContain('Paid');
  fc.assert(
    fc.property(text, text, (tokenName, tokenSymbol) => {
      const svg = drawCall({ isPaidPromotion: true, tokenName, tokenSymbol });
      const line = extents(svg).filter(({ baseline }) => baseline === 212);
      const disclosure = line.find(({ text: words }) => words === 'Paid promotion');
      expect(disclosure?.to).toBeGreaterThan(1000);
      expect(sizeOf(svg, /Paid promotion/)).toBeGreaterThanOrEqual(SMALLEST_TEXT);
      for (const { text: words, to } of line) {
        if (words !== 'Paid promotion') expect(to).toBeLessThan((disclosure?.from ?? 0) - 20);
      }
    }),
  );
});

it.each([
  ['Unranked', { unrankedReason: 'one_source' }],
  ['Gain counts as 0%', { uncountedGainReason: 'short_hold' }],
] as const)('a call’s card has the badge “%s” if the call or its gain does not count', (mark, reason) => {
  expect(drawCall()).not.toContain(mark);
  fc.assert(
    fc.property(text, text, fc.boolean(), (tokenName, tokenSymbol, isPaidPromotion) => {
      const svg = drawCall({ ...reason, isPaidPromotion, tokenName, tokenSymbol });
      expectReadable(svg);
      const line = extents(svg).filter(({ baseline }) => baseline === 212);
      const badges = isPaidPromotion ? ['Paid promotion', mark] : [mark];
      const [first, ...others] = badges.map((words) => line.find((each) => each.text === words));
      expect((others.at(-1) ?? first)?.to).toBeGreaterThan(1000);
      for (const { text: words, to } of line) {
        if (!badges.includes(words)) expect(to).toBeLessThan((first?.from ?? 0) - 20);
      }
    }),
  );
});

it.each([drawCall({}, LOST_HANDLE), drawCaller({}, LOST_HANDLE)])(
  'a card shows “Handle changed on X” instead of a placeholder handle (card %#)',
  (svg) => {
    expect(svg).toContain('>Handle changed on X<');
    expect(svg).not.toContain('user-');
  },
);
