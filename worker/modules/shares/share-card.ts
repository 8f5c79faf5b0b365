import { SHARE_IMAGE } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import {
  formatChange,
  formatDuration,
  formatMultiple,
  formatPrice,
  shortenAddress,
} from '#schema/rules/format.ts';
import { multipleOf } from '#schema/rules/performance.ts';
import {
  BESIDE_BRAND,
  colours,
  drawBrand,
  drawCard,
  drawLine,
  drawPerson,
  drawText,
  LEFT,
  RIGHT,
  ROOM,
  SMALLEST_TEXT,
  toneOf,
  type Anchor,
  type CardPerson,
} from './card-drawing.ts';
import { faces, type Face } from './card-fonts.ts';
import { drawable, fitFigure, inShort, measure, truncate, type Ways } from './card-text.ts';

/** An ended call as its card tells it. Prices are decimal strings in USD, times unix ms. */
export interface EndedCall {
  readonly tokenName: string;
  readonly tokenSymbol: string;
  readonly tokenMint: string;
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly changePercent: number;
  readonly calledAt: number;
  readonly endedAt: number;
  readonly isPaidPromotion: boolean;
}

/** What a card tells of a call. @throws for one that has not ended. */
export function describeEndedCall(call: TokenCall): EndedCall {
  const { endPrice, endTimestamp, changePercent } = call;
  if (endPrice === undefined || endTimestamp === undefined || changePercent === undefined) {
    throw new Error('Only an ended call has a card');
  }
  return {
    tokenName: call.tokenName,
    tokenSymbol: call.tokenSymbol,
    tokenMint: call.tokenMint,
    entryPrice: call.entryPrice,
    endPrice,
    changePercent,
    calledAt: Date.parse(call.callTimestamp),
    endedAt: Date.parse(endTimestamp),
    isPaidPromotion: call.isPaidPromotion,
  };
}

/** The percentage is the largest thing on the card, whatever stands beside it. */
const CHANGE = { size: 196, smallest: 92, baseline: 390 } as const;
const MULTIPLE = { size: 84, smallest: 56 } as const;

/** The card of an ended call as SVG. The same figures, the same sizes and the same calm for a win and a loss. */
export function drawShareCard({ call, caller }: { call: EndedCall; caller: CardPerson }): string {
  return drawCard([
    drawLine({ changePercent: call.changePercent, y: 478, rise: { least: 18, most: 90 } }),
    drawPerson(caller, { top: 44, maxWidth: BESIDE_BRAND, sizes: { radius: 48, name: 42, handle: 34 } }),
    drawBrand({ baseline: 104 }),
    drawToken(call),
    drawFigures(call),
    drawFacts(call),
  ]);
}

/** Less of a name says nothing, in pixels. */
const NAME_LEAST = 90;
const TOKEN = { baseline: 212, symbol: 52, name: 38, mint: 34, gap: 20 } as const;

/** The token by symbol, name and mint: anybody may give a token the name of another, nobody its address. */
function drawToken({ tokenSymbol, tokenName, tokenMint, isPaidPromotion }: EndedCall): string {
  const shown = drawable(tokenSymbol, faces.semibold);
  const address = shortenAddress(tokenMint);
  const mint = shown === '' ? '' : address;
  const mintRoom = mint === '' ? 0 : measure(mint, faces.mono) * TOKEN.mint + TOKEN.gap;
  const right = (isPaidPromotion ? RIGHT - promotionWidth - TOKEN.gap : RIGHT) - mintRoom;
  const symbol = truncate(shown || address, {
    face: faces.semibold,
    size: TOKEN.symbol,
    maxWidth: Math.min(ROOM * 0.6, right - LEFT),
  });
  const nameX = LEFT + measure(symbol, faces.semibold) * TOKEN.symbol + TOKEN.gap;
  const name =
    right - nameX < NAME_LEAST
      ? ''
      : truncate(drawable(tokenName, faces.regular), {
          face: faces.regular,
          size: TOKEN.name,
          maxWidth: right - nameX,
        });
  const mintX = name === '' ? nameX : nameX + measure(name, faces.regular) * TOKEN.name + TOKEN.gap;
  return (
    drawText(symbol, { x: LEFT, y: TOKEN.baseline, size: TOKEN.symbol, face: faces.semibold }) +
    drawText(name, {
      x: nameX,
      y: TOKEN.baseline,
      size: TOKEN.name,
      face: faces.regular,
      fill: colours.muted,
    }) +
    drawText(mint, { x: mintX, y: TOKEN.baseline, size: TOKEN.mint, face: faces.mono, fill: colours.muted }) +
    (isPaidPromotion ? drawPromotion() : '')
  );
}

const PROMOTION = { text: 'Paid promotion', size: 34, padding: 20, height: 56 } as const;
const promotionWidth = measure(PROMOTION.text, faces.semibold) * PROMOTION.size + 2 * PROMOTION.padding;

/** The caller's own disclosure, at the right of the token's line. */
function drawPromotion(): string {
  const top = TOKEN.baseline - PROMOTION.size * 0.36 - PROMOTION.height / 2;
  return (
    `<rect x="${RIGHT - promotionWidth}" y="${top}" width="${promotionWidth}" height="${PROMOTION.height}" rx="12" fill="${colours.raised}" stroke="${colours.line}" stroke-width="2"/>` +
    drawText(PROMOTION.text, {
      x: RIGHT - promotionWidth / 2,
      y: TOKEN.baseline,
      size: PROMOTION.size,
      face: faces.semibold,
      anchor: 'middle',
    })
  );
}

function drawFigures(call: EndedCall): string {
  const gap = 36;
  const times = multipleOf(call);
  const multiple = fitFigure([formatMultiple(times), `${inShort(times)}x`], {
    face: faces.semibold,
    ...MULTIPLE,
    maxWidth: ROOM * 0.4,
  });
  const multipleWidth = measure(multiple.text, faces.semibold) * multiple.size;
  const sign = call.changePercent > 0 ? '+' : '';
  const change = fitFigure([formatChange(call.changePercent), `${sign}${inShort(call.changePercent)}%`], {
    face: faces.semibold,
    ...CHANGE,
    maxWidth: ROOM - gap - multipleWidth,
  });
  // Letters this large stand apart, and a plus has room of its own to its left.
  const spacing = -change.size * 0.022;
  const changeWidth = measure(change.text, faces.semibold) * change.size + change.text.length * spacing;
  return (
    drawText(change.text, {
      x: LEFT - change.size * 0.04,
      y: CHANGE.baseline,
      size: change.size,
      face: faces.semibold,
      fill: toneOf(call.changePercent).colour,
      spacing,
    }) +
    drawText(multiple.text, {
      x: LEFT + changeWidth + gap,
      y: CHANGE.baseline,
      size: multiple.size,
      face: faces.semibold,
    })
  );
}

function drawFacts({ entryPrice, endPrice, calledAt, endedAt }: EndedCall): string {
  const column = 400;
  const fact = ({
    label,
    ways,
    face,
    x,
    anchor,
    maxWidth,
  }: {
    label: string;
    ways: Ways;
    face: Face;
    x: number;
    anchor: Anchor;
    maxWidth: number;
  }) => {
    const { text, size } = fitFigure(ways, { face, size: 44, smallest: SMALLEST_TEXT, maxWidth });
    return (
      drawText(label, { x, y: 582, size: 34, face: faces.regular, fill: colours.muted, anchor }) +
      drawText(text, { x, y: 634, size, face, anchor })
    );
  };
  const price = (value: string) => [`$${formatPrice(value)}`, `$${inShort(Number(value))}`] as const;
  return (
    fact({
      label: 'Entry',
      ways: price(entryPrice),
      face: faces.mono,
      x: LEFT,
      anchor: 'start',
      maxWidth: column,
    }) +
    fact({
      label: 'Held',
      ways: [formatDuration(endedAt - calledAt)],
      face: faces.semibold,
      x: SHARE_IMAGE.width / 2,
      anchor: 'middle',
      maxWidth: ROOM - 2 * column - 40,
    }) +
    fact({ label: 'End', ways: price(endPrice), face: faces.mono, x: RIGHT, anchor: 'end', maxWidth: column })
  );
}
