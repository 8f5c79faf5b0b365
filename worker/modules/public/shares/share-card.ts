import { SHARE_IMAGE } from '#schema/constants/public.ts';
import type { EndedCall } from '#schema/contracts/calls.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { formatMultiple } from '#schema/rules/text/format-amounts.ts';
import { formatHeld } from '#schema/rules/text/format-durations.ts';
import { multipleOf } from '#schema/rules/calls/performance.ts';
import { rankingBadge } from '#schema/rules/calls/ranking-texts.ts';
import { drawCard, drawFact, drawLine, drawPerson, drawText, type CardPerson } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { colours, LEFT, RIGHT, ROOM, toneOf } from './card-layout.ts';
import {
  abbreviate,
  drawable,
  fitFigure,
  measure,
  describeChange,
  describePrice,
  describeRecord,
  truncate,
  type CallRecord,
} from './card-text.ts';

/** The percentage is always the largest text on the card. */
const CHANGE = { size: 196, smallest: 92, baseline: 390 } as const;
const MULTIPLE = { size: 84, smallest: 56 } as const;

interface ShareCard {
  readonly call: EndedCall;
  readonly caller: CardPerson;
  /** Null for a deleted caller. */
  readonly record: CallRecord | null;
  readonly host: string;
}

/** Draws an ended call's card as SVG. Wins and losses have the same sizes. */
export function drawShareCard({ call, caller, record, host }: ShareCard): string {
  const note = record && describeRecord(record);
  return drawCard(
    [
      drawLine({ changePercent: call.changePercent, y: 478, rise: { least: 18, most: 90 } }),
      drawPerson(caller, { top: 44, radius: 48, name: 42, handle: 34, note, host }),
      drawToken(call),
      drawFigures(call),
      drawFacts(call),
    ],
    host,
  );
}

const MIN_NAME_WIDTH = 90;
const TOKEN = { baseline: 212, symbol: 52, name: 38, mint: 34, gap: 20 } as const;

/** Draws symbol, name and mint. Anyone can copy a token's name, but not its address. */
function drawToken(call: EndedCall): string {
  const { tokenSymbol, tokenName, tokenMint } = call;
  const y = TOKEN.baseline;
  const badges = drawBadges(call);
  const drawableSymbol = drawable(tokenSymbol, faces.semibold);
  const address = shortenAddress(tokenMint);
  const mint = drawableSymbol === '' ? '' : address;
  const mintWidth = mint === '' ? 0 : measure(mint, faces.mono) * TOKEN.mint + TOKEN.gap;
  const right = badges.left - mintWidth;
  const symbol = truncate(drawableSymbol || address, {
    face: faces.semibold,
    size: TOKEN.symbol,
    maxWidth: Math.min(ROOM * 0.6, right - LEFT),
  });
  const nameX = LEFT + measure(symbol, faces.semibold) * TOKEN.symbol + TOKEN.gap;
  const name = fitName(tokenName, right - nameX);
  const mintX = name === '' ? nameX : nameX + measure(name, faces.regular) * TOKEN.name + TOKEN.gap;
  const fill = colours.muted;
  return [
    drawText(symbol, { x: LEFT, y, size: TOKEN.symbol, face: faces.semibold }),
    drawText(name, { x: nameX, y, size: TOKEN.name, face: faces.regular, fill }),
    drawText(mint, { x: mintX, y, size: TOKEN.mint, face: faces.mono, fill }),
    badges.svg,
  ].join('');
}

function fitName(tokenName: string, maxWidth: number): string {
  if (maxWidth < MIN_NAME_WIDTH) return '';
  return truncate(drawable(tokenName, faces.regular), { face: faces.regular, size: TOKEN.name, maxWidth });
}

const BADGE = { size: 34, padding: 20, height: 56 } as const;

/**
 * Draws up to two badges at the right of the token's row: how the ranking treats the call, and 'Paid
 * promotion'. `left` is where the space for other texts ends.
 */
function drawBadges(call: EndedCall): { readonly svg: string; readonly left: number } {
  const texts = [rankingBadge(call), call.isPaidPromotion ? 'Paid promotion' : null];
  let left = RIGHT;
  let svg = '';
  for (const text of texts) {
    if (text === null) continue;
    const width = measure(text, faces.semibold) * BADGE.size + 2 * BADGE.padding;
    svg += drawBadge(text, { x: left - width, width });
    left -= width + TOKEN.gap;
  }
  return { svg, left };
}

function drawBadge(text: string, { x, width }: { x: number; width: number }): string {
  const y = TOKEN.baseline - BADGE.size * 0.36 - BADGE.height / 2;
  const box = `<rect x="${x}" y="${y}" width="${width}" height="${BADGE.height}" rx="12"`;
  const label = drawText(text, {
    x: x + width / 2,
    y: TOKEN.baseline,
    size: BADGE.size,
    face: faces.semibold,
    anchor: 'middle',
  });
  return `${box} fill="${colours.raised}" stroke="${colours.line}" stroke-width="2"/>${label}`;
}

function drawFigures(call: EndedCall): string {
  const gap = 36;
  const face = faces.semibold;
  const times = multipleOf(call);
  const multiple = fitFigure([formatMultiple(times), `${abbreviate(times)}x`], {
    face,
    ...MULTIPLE,
    maxWidth: ROOM * 0.4,
  });
  const multipleWidth = measure(multiple.text, face) * multiple.size;
  const change = fitFigure(describeChange(call.changePercent), {
    face,
    ...CHANGE,
    maxWidth: ROOM - gap - multipleWidth,
  });
  // Optical corrections: letters of this size look too far apart, and a plus sign has empty space at its left.
  const spacing = -change.size * 0.022;
  const changeX = LEFT - change.size * 0.04;
  const changeWidth = measure(change.text, face) * change.size + change.text.length * spacing;
  const multipleX = LEFT + changeWidth + gap;
  const fill = toneOf(call.changePercent).colour;
  return (
    drawText(change.text, { x: changeX, y: CHANGE.baseline, size: change.size, face, fill, spacing }) +
    drawText(multiple.text, { x: multipleX, y: CHANGE.baseline, size: multiple.size, face })
  );
}

function drawFacts(call: EndedCall): string {
  const column = 400;
  const price = { face: faces.mono, maxWidth: column };
  return (
    drawFact({
      ...price,
      label: 'Entry',
      variants: describePrice(call.entryPrice),
      x: LEFT,
      anchor: 'start',
    }) +
    drawFact({
      label: call.automaticEnd === null ? 'Held' : 'Held, ended automatically',
      variants: [formatHeld(call)],
      face: faces.semibold,
      x: SHARE_IMAGE.width / 2,
      anchor: 'middle',
      maxWidth: ROOM - 2 * column - 40,
    }) +
    drawFact({ ...price, label: 'End', variants: describePrice(call.endPrice), x: RIGHT, anchor: 'end' })
  );
}
