import { describe, expect, it } from 'vitest';
import { HOUR_MS, SHARE_IMAGE } from '#schema/constants.ts';
import { decodePng } from '../../test-support/png.ts';
import { faces } from './card-fonts.ts';
import { drawable, fitSize, measure, truncate } from './card-text.ts';
import { renderPng } from './render-png.ts';
import { drawShareCard, type EndedCall } from './share-card.ts';

const call: EndedCall = {
  callerName: 'Ada Byron',
  callerHandle: 'ada',
  isVerified: true,
  tokenName: 'Bonk',
  tokenSymbol: 'BONK',
  tokenMint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
  entryPrice: '0.00002',
  endPrice: '0.00003',
  changePercent: 50,
  calledAt: 0,
  endedAt: 27 * HOUR_MS,
};

const cases: Record<string, Partial<EndedCall>> = {
  win: {},
  loss: { entryPrice: '2.5', endPrice: '1.85', changePercent: -26, tokenSymbol: 'WIF', tokenName: 'dogwifhat' },
  nothing: { endPrice: '0.00002', changePercent: 0 },
  longName: { callerName: 'Maximiliane-Aurelia Peppercairn-Wollstone', callerHandle: 'FifteenLetters_', tokenName: 'A token with a name that goes on for as long as it may go on, and on', tokenSymbol: 'WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW' },
  arabic: { callerName: 'عبد الرحمن بن محمد', tokenName: 'عملة', changePercent: -99.9, endPrice: '0.00000002' },
  hebrew: { callerName: 'נועה לוי' },
  tinyPrice: { entryPrice: '0.00000001', endPrice: '0.00000124', changePercent: 12_345.6 },
  hugePrice: { entryPrice: '1000000000000000', endPrice: '123456789012345678', changePercent: 12_245.7 },
  undrawable: { callerName: '山田太郎 🪁', tokenSymbol: '狗', tokenName: '狗狗币' },
  markup: { callerName: '<script>&"\'', tokenName: '</text><rect>' },
};

/** Whether any pixel beside the ground lies in the outermost columns. */
function touchesEdges({ width, height, pixels }: { width: number; height: number; pixels: Uint8Array }): boolean {
  for (let y = 12; y < height - 12; y++)
    for (const x of [...Array(40).keys(), ...Array.from({ length: 40 }, (_, index) => width - 1 - index)]) {
      const at = 4 * (y * width + x);
      if (pixels[at] !== 0x0c || pixels[at + 1] !== 0x11 || pixels[at + 2] !== 0x1a) return true;
    }
  return false;
}

describe('the card of', () => {
  it.each(Object.entries(cases))('%s is drawn whole, within its margins', async (_name, changes) => {
    const picture = await decodePng(await renderPng(drawShareCard({ ...call, ...changes })));
    expect({ width: picture.width, height: picture.height }).toEqual(SHARE_IMAGE);
    expect(touchesEdges(picture)).toBe(false);
  });

  it('a call says everything of it, at the product’s own formats', () => {
    const svg = drawShareCard(call);
    for (const said of ['>Ada Byron<', '>@ada<', '>BONK<', '>Bonk<', '>+50.0%<', '>$0.00002000<', '>$0.00003000<', '>1d 3h<', '>SolCallers<']) expect(svg).toContain(said);
  });

  it('a loss says it as large as a win', () => {
    const sizeOf = (svg: string) => /font-size="([\d.]+)"[^>]*>[+-]\d/.exec(svg)?.[1];
    const won = sizeOf(drawShareCard(call));
    expect(won).toBeDefined();
    expect(sizeOf(drawShareCard({ ...call, changePercent: -50 }))).toBe(won);
  });

  it('somebody unverified bears no mark', () => {
    const circles = (svg: string) => svg.split('<circle').length;
    expect(circles(drawShareCard({ ...call, isVerified: false }))).toBe(circles(drawShareCard(call)) - 1);
  });

  it('names that no font draws has the handle and the mint instead', () => {
    const svg = drawShareCard({ ...call, ...cases['undrawable'] });
    expect(svg).toContain('>@ada<');
    expect(svg).toContain('>DezX…B263<');
    expect(svg).not.toMatch(/[山狗🪁]/u);
  });

  it.each(['\u200B', '👨‍👩‍👧', '\u200F\u200E \u2060', '\u202E狗\u202C'])('names of which nothing can be seen has the handle and the mint instead: %j', (name) => {
    const svg = drawShareCard({ ...call, callerName: name, tokenSymbol: name, tokenName: name });
    expect(svg).toBe(drawShareCard({ ...call, callerName: '', tokenSymbol: '', tokenName: '' }));
    expect(svg).toContain('>@ada<');
    expect(svg).toContain('>DezX…B263<');
  });

  it('markup draws it as text', () => {
    expect(drawShareCard({ ...call, ...cases['markup'] })).not.toContain('<script');
  });
});

describe('a text on the card', () => {
  const face = faces.semibold;
  it.each([
    ['plain', 'plain'],
    ['𝓐𝓭𝓪 🪁 Byron', 'Ada Byron'],
    ['a\u202Eb\u0000c', 'abc'],
    ['  much   space\n', 'much space'],
    ['Ōé Žižek', 'Ōé Žižek'],
    ['山🪁', ''],
    ['👩‍🚀❤️ Ada', 'Ada'],
    ['A\u200Bd\u2060a\u00AD', 'Ada'],
    ['\u200B\u200D\u2060\uFEFF\u200F', ''],
    ['می‌خواهم\u200C', 'می‌خواهم'],
  ])('%j is drawn as %j', (text, drawn) => expect(drawable(text, face)).toBe(drawn));

  it('is cut to what fits, and not when it fits', () => {
    expect(truncate('Ada', { face, size: 38, maxWidth: 400 })).toBe('Ada');
    const cut = truncate('W'.repeat(40), { face, size: 38, maxWidth: 400 });
    expect(cut).toMatch(/^W+…$/);
    expect(measure(cut, face) * 38).toBeLessThanOrEqual(400);
    expect(measure(`${cut.slice(0, -1)}W…`, face) * 38).toBeGreaterThan(400);
  });

  it('of figures shrinks instead', () => {
    expect(fitSize('$1', { face: faces.mono, size: 36, maxWidth: 400 })).toBe(36);
    const long = '$1,000,000,000,000,000.0000';
    expect(measure(long, faces.mono) * fitSize(long, { face: faces.mono, size: 36, maxWidth: 400 })).toBeLessThanOrEqual(400);
  });
});
