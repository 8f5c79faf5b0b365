import { PRODUCT_NAME, SHARE_IMAGE } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatChange, formatDuration, formatPrice, shortenAddress } from '#schema/rules/format.ts';
import { faces, type Face } from './card-fonts.ts';
import { drawable, fitSize, measure, truncate } from './card-text.ts';

/** An ended call as its card tells it. Prices are decimal strings in USD, times unix ms. */
export interface EndedCall {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly isVerified: boolean;
  readonly tokenName: string;
  readonly tokenSymbol: string;
  readonly tokenMint: string;
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly changePercent: number;
  readonly calledAt: number;
  readonly endedAt: number;
}

/** What a card tells of a call. @throws for one that has not ended. */
export function describeEndedCall(call: TokenCall): EndedCall {
  const { endPrice, endTimestamp, changePercent, caller } = call;
  if (endPrice === undefined || endTimestamp === undefined || changePercent === undefined) throw new Error('Only an ended call has a card');
  return {
    callerName: `${caller.firstName} ${caller.lastName}`,
    callerHandle: caller.twitterHandle,
    isVerified: caller.isVerified,
    tokenName: call.tokenName,
    tokenSymbol: call.tokenSymbol,
    tokenMint: call.tokenMint,
    entryPrice: call.entryPrice,
    endPrice,
    changePercent,
    calledAt: Date.parse(call.callTimestamp),
    endedAt: Date.parse(endTimestamp),
  };
}

/** The dark ground of web/styles/tokens.css in sRGB, by the same roles. */
const colours = { surface: '#0c111a', raised: '#1b222e', text: '#ebeff4', muted: '#a2aab6', line: '#2a313d', accent: '#f6d236', onAccent: '#0f1828', gain: '#47d9bb', loss: '#fa825d' } as const;

const { width, height } = SHARE_IMAGE;
const MARGIN = 72;
const RIGHT = width - MARGIN;
const BRAND_WIDTH = 250;
const NAME_X = MARGIN + 100;
const FIGURE_SIZE = 172;
/** The call as a line: the middle of its band, and how far its ends part at a change of 100% and more. */
const LINE = { y: 492, rise: 44, left: MARGIN + 13, right: RIGHT - 15 } as const;

/** The card of an ended call as SVG. The same figures, the same sizes and the same calm for a win and a loss. */
export function drawShareCard(call: EndedCall): string {
  const isFlat = Number(call.changePercent.toFixed(1)) === 0;
  const tone = isFlat ? colours.text : call.changePercent > 0 ? colours.gain : colours.loss;
  const parts = [
    `<rect width="${width}" height="${height}" fill="${colours.surface}"/>`,
    `<rect width="${width}" height="8" fill="${tone}"/>`,
    drawCaller(call),
    drawBrand(),
    drawToken(call),
    drawChange({ call, tone, isFlat }),
    drawLine({ call, tone, isFlat }),
    drawFacts(call),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join('')}</svg>`;
}

function drawCaller({ callerName, callerHandle, isVerified }: EndedCall): string {
  const handle = `@${callerHandle}`;
  const name = drawable(callerName, faces.semibold);
  const title = truncate(name === '' ? handle : name, { face: faces.semibold, size: 38, maxWidth: RIGHT - BRAND_WIDTH - NAME_X });
  const [letter = ''] = title.replace(/^@/, '').toUpperCase();
  // Without a name the handle is the title, and stands in the middle.
  const baseline = name === '' ? 121 : 101;
  return [
    `<circle cx="${MARGIN + 38}" cy="108" r="38" fill="${colours.raised}"/>`,
    text(letter, { x: MARGIN + 38, y: 121, size: 36, face: faces.semibold, fill: colours.text, anchor: 'middle' }),
    isVerified ? drawVerifiedMark({ x: MARGIN + 66, y: 136 }) : '',
    text(title, { x: NAME_X, y: baseline, size: 38, face: faces.semibold, fill: colours.text }),
    name === '' ? '' : text(handle, { x: NAME_X, y: 140, size: 27, face: faces.regular, fill: colours.muted }),
  ].join('');
}

function drawVerifiedMark({ x, y }: { x: number; y: number }): string {
  return `<circle cx="${x}" cy="${y}" r="16" fill="${colours.accent}" stroke="${colours.surface}" stroke-width="4"/><path d="M${x - 7} ${y + 0.5}l4.8 4.8 9-9.6" fill="none" stroke="${colours.onAccent}" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function drawBrand(): string {
  const size = 34;
  const x = RIGHT - measure(PRODUCT_NAME, faces.semibold) * size;
  // The logo's own path (web/ui/logo.tsx).
  const mark = `<g transform="translate(${x - 54} 87) scale(1.5)" stroke-width="2.25"><path d="M8.2 18.6 19 8.4" stroke="${colours.text}"/><circle cx="6" cy="20.8" r="3.2" fill="none" stroke="${colours.text}"/><circle cx="21.5" cy="6.2" r="4.7" fill="${colours.accent}"/></g>`;
  return mark + text(PRODUCT_NAME, { x, y: 120, size, face: faces.semibold, fill: colours.text });
}

function drawToken({ tokenSymbol, tokenName, tokenMint }: EndedCall): string {
  const room = RIGHT - MARGIN;
  const symbol = truncate(drawable(tokenSymbol, faces.semibold) || shortenAddress(tokenMint), { face: faces.semibold, size: 46, maxWidth: room * 0.6 });
  const nameX = MARGIN + measure(symbol, faces.semibold) * 46 + 22;
  const name = truncate(drawable(tokenName, faces.regular), { face: faces.regular, size: 32, maxWidth: RIGHT - nameX });
  return (
    text(symbol, { x: MARGIN, y: 234, size: 46, face: faces.semibold, fill: colours.text }) +
    text(name, { x: nameX, y: 234, size: 32, face: faces.regular, fill: colours.muted })
  );
}

function drawChange({ call, tone, isFlat }: { call: EndedCall; tone: string; isFlat: boolean }): string {
  const figure = formatChange(call.changePercent);
  const arrowRoom = isFlat ? 0 : 0.62;
  const size = fitSize(figure, { face: faces.semibold, size: FIGURE_SIZE, maxWidth: (RIGHT - MARGIN) * 0.88 });
  const baseline = 408;
  const arrow = size * 0.46;
  const top = baseline - size * 0.36 - arrow * 0.44;
  const up = `M${MARGIN + arrow / 2} ${top}L${MARGIN + arrow} ${top + arrow * 0.88}H${MARGIN}Z`;
  const down = `M${MARGIN + arrow / 2} ${top + arrow * 0.88}L${MARGIN + arrow} ${top}H${MARGIN}Z`;
  return (
    (isFlat ? '' : `<path d="${call.changePercent > 0 ? up : down}" fill="${tone}"/>`) +
    text(figure, { x: MARGIN + size * arrowRoom - (isFlat ? 6 : 0), y: baseline, size, face: faces.semibold, fill: tone, spacing: -size * 0.02 })
  );
}

function drawLine({ call, tone, isFlat }: { call: EndedCall; tone: string; isFlat: boolean }): string {
  const rise = isFlat ? 0 : Math.sign(call.changePercent) * (10 + (LINE.rise - 10) * Math.min(1, Math.abs(call.changePercent) / 100));
  const start = LINE.y + rise / 2;
  const end = LINE.y - rise / 2;
  return [
    `<path d="M${LINE.left} ${start}H${LINE.right}" stroke="${colours.line}" stroke-width="2" stroke-dasharray="4 8"/>`,
    `<path d="M${LINE.left} ${start}L${LINE.right} ${end}" stroke="${tone}" stroke-width="5" stroke-linecap="round"/>`,
    `<circle cx="${LINE.left}" cy="${start}" r="11" fill="${colours.surface}" stroke="${tone}" stroke-width="5"/>`,
    `<circle cx="${LINE.right}" cy="${end}" r="15" fill="${tone}"/>`,
  ].join('');
}

function drawFacts({ entryPrice, endPrice, calledAt, endedAt }: EndedCall): string {
  const column = 400;
  const fact = ({ label, value, face, x, anchor, maxWidth }: { label: string; value: string; face: Face; x: number; anchor: Anchor; maxWidth: number }) =>
    text(label, { x, y: 574, size: 25, face: faces.regular, fill: colours.muted, anchor }) +
    text(value, { x, y: 618, size: fitSize(value, { face, size: 36, maxWidth }), face, fill: colours.text, anchor });
  return (
    fact({ label: 'Entry', value: `$${formatPrice(entryPrice)}`, face: faces.mono, x: MARGIN, anchor: 'start', maxWidth: column }) +
    fact({ label: 'Held', value: formatDuration(endedAt - calledAt), face: faces.semibold, x: width / 2, anchor: 'middle', maxWidth: RIGHT - MARGIN - 2 * column }) +
    fact({ label: 'End', value: `$${formatPrice(endPrice)}`, face: faces.mono, x: RIGHT, anchor: 'end', maxWidth: column })
  );
}

type Anchor = 'start' | 'middle' | 'end';

function text(content: string, { x, y, size, face, fill, anchor = 'start', spacing = 0 }: { x: number; y: number; size: number; face: Face; fill: string; anchor?: Anchor; spacing?: number }): string {
  const escaped = content.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<text x="${x}" y="${y}" ${face.attributes} font-size="${size}" fill="${fill}" text-anchor="${anchor}" letter-spacing="${spacing}">${escaped}</text>`;
}
