import { PRODUCT_NAME, SHARE_IMAGE } from '#schema/constants.ts';
import type { Picture } from '../../ports/picture-source.ts';
import { faces, type Face } from './card-fonts.ts';
import { drawable, measure, truncate, withDirections } from './card-text.ts';

/** Nothing on a card is written smaller, in pixels: at a third of the card's width it is still 11. */
export const SMALLEST_TEXT = 33;

/** The dark ground of web/styles/tokens.css in sRGB, by the same roles. */
export const colours = {
  surface: '#0c111a',
  raised: '#1b222e',
  text: '#ebeff4',
  muted: '#a2aab6',
  line: '#2a313d',
  accent: '#f6d236',
  onAccent: '#0f1828',
  gain: '#47d9bb',
  gainSoft: '#032d2a',
  loss: '#fa825d',
  lossSoft: '#3f1a13',
} as const;

/** How a change looks: which way it goes, its colour, and the same in soft for the ground beneath its line. */
export interface Tone {
  readonly direction: -1 | 0 | 1;
  readonly colour: string;
  readonly soft: string;
}

/** The tone of a change in percent as it is shown: what rounds to nothing is neither gain nor loss. */
export function toneOf(changePercent: number): Tone {
  const shown = Number(changePercent.toFixed(1));
  if (shown === 0) return { direction: 0, colour: colours.text, soft: colours.raised };
  return shown > 0
    ? { direction: 1, colour: colours.gain, soft: colours.gainSoft }
    : { direction: -1, colour: colours.loss, soft: colours.lossSoft };
}

const { width, height } = SHARE_IMAGE;
export const LEFT = 64;
export const RIGHT = width - LEFT;
export const ROOM = RIGHT - LEFT;

/** A card as SVG, from its parts, the lowest first. */
export function drawCard(parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${colours.surface}"/>${parts.join('')}</svg>`;
}

/** Who a card is about. Without a picture the first letter stands in its place. */
export interface CardPerson {
  readonly name: string;
  readonly handle: string;
  readonly isVerified: boolean;
  readonly picture: Picture | null;
}

/** How large somebody is drawn: the disc's radius, and the sizes of what stands beside it. All in pixels. */
export interface PersonSizes {
  readonly radius: number;
  readonly name: number;
  readonly handle: number;
}

/** Somebody's picture with name and handle, from `LEFT` and `top` on, no wider than `maxWidth`. */
export function drawPerson(
  person: CardPerson,
  { top, maxWidth, sizes }: { top: number; maxWidth: number; sizes: PersonSizes },
): string {
  const { radius } = sizes;
  const middle = { x: LEFT + radius, y: top + radius };
  const x = LEFT + 2 * radius + 28;
  const handle = `@${person.handle}`;
  const name = drawable(person.name, faces.semibold);
  const title = name === '' ? handle : name;
  const room = LEFT + maxWidth - x;
  // Four times as much between the two as above and below: ي goes almost half its size below the line.
  const gap = (2 * radius - sizes.name * 0.72 - sizes.handle * 0.95) / 6;
  // Without a name the handle is the title, and stands in the middle.
  const baseline = name === '' ? middle.y + sizes.name * 0.36 : top + gap + sizes.name * 0.74;
  // A long name is written smaller before it is cut.
  const size = Math.max(
    SMALLEST_TEXT,
    sizes.name * 0.7,
    Math.min(sizes.name, Math.floor(room / measure(title, faces.semibold))),
  );
  return [
    drawDisc({ ...middle, radius, letter: firstLetter(title), picture: person.picture }),
    person.isVerified
      ? drawVerifiedMark({
          x: middle.x + radius * 0.74,
          y: middle.y + radius * 0.74,
          radius: Math.max(18, radius * 0.32),
        })
      : '',
    drawText(truncate(title, { face: faces.semibold, size, maxWidth: room }), {
      x,
      y: baseline,
      size,
      face: faces.semibold,
    }),
    name === ''
      ? ''
      : drawText(truncate(handle, { face: faces.regular, size: sizes.handle, maxWidth: room }), {
          x,
          y: top + 2 * radius - gap - sizes.handle * 0.12,
          size: sizes.handle,
          face: faces.regular,
          fill: colours.muted,
        }),
  ].join('');
}

function firstLetter(title: string): string {
  const [letter = ''] = title.replace(/^[^\p{L}\p{N}]+/u, '').toUpperCase();
  return letter;
}

function drawDisc({
  x,
  y,
  radius,
  letter,
  picture,
}: {
  x: number;
  y: number;
  radius: number;
  letter: string;
  picture: Picture | null;
}): string {
  const ground = `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colours.raised}"/>`;
  const size = Math.max(SMALLEST_TEXT, radius);
  if (picture === null) {
    return ground + drawText(letter, { x, y: y + size * 0.36, size, face: faces.semibold, anchor: 'middle' });
  }
  return `${ground}<clipPath id="disc"><circle cx="${x}" cy="${y}" r="${radius}"/></clipPath><g clip-path="url(#disc)">${embedPicture(picture, { x: x - radius, y: y - radius, size: 2 * radius })}</g>`;
}

/** A picture that fills a square, as part of an SVG: its bytes are in it, and nothing is fetched. */
export function embedPicture(
  { type, bytes }: Picture,
  { x, y, size }: { x: number; y: number; size: number },
): string {
  return `<image x="${x}" y="${y}" width="${size}" height="${size}" preserveAspectRatio="xMidYMid slice" href="data:${type};base64,${toBase64(bytes)}"/>`;
}

function toBase64(bytes: Uint8Array): string {
  const CHUNK = 8_192;
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(text);
}

function drawVerifiedMark({ x, y, radius }: { x: number; y: number; radius: number }): string {
  return `<g transform="translate(${x} ${y}) scale(${radius / 16})"><circle r="16" fill="${colours.accent}" stroke="${colours.surface}" stroke-width="4"/><path d="M-7 0.5l4.8 4.8 9-9.6" fill="none" stroke="${colours.onAccent}" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round"/></g>`;
}

const BRAND = { size: 36, markWidth: 52 } as const;
const brandWidth = BRAND.markWidth + measure(PRODUCT_NAME, faces.semibold) * BRAND.size;
/** What the brand leaves beside it on its line. */
export const BESIDE_BRAND = ROOM - brandWidth - 40;

/** The product's mark and name, at the right. */
export function drawBrand({ baseline }: { baseline: number }): string {
  // The logo's own path (web/ui/logo.tsx).
  const mark = `<g transform="translate(${RIGHT - brandWidth} ${baseline - 34}) scale(1.5)" stroke-width="2.25"><path d="M8.2 18.6 19 8.4" stroke="${colours.text}"/><circle cx="6" cy="20.8" r="3.2" fill="none" stroke="${colours.text}"/><circle cx="21.5" cy="6.2" r="4.7" fill="${colours.accent}"/></g>`;
  return (
    mark +
    drawText(PRODUCT_NAME, { x: RIGHT, y: baseline, size: BRAND.size, face: faces.semibold, anchor: 'end' })
  );
}

/**
 * A change as a line with two ends, open where it begins and full where it ends, over ground that goes with it from edge
 * to edge. `y` is its middle; its ends part by `rise.least` to `rise.most` pixels, the most from a change of 100% on.
 */
export function drawLine({
  changePercent,
  y,
  rise,
}: {
  changePercent: number;
  y: number;
  rise: { least: number; most: number };
}): string {
  const tone = toneOf(changePercent);
  const apart =
    tone.direction * (rise.least + (rise.most - rise.least) * Math.min(1, Math.abs(changePercent) / 100));
  const [from, to] = [y + apart / 2, y - apart / 2];
  const [first, last] = [LEFT + 14, RIGHT - 18];
  const slope = (to - from) / (last - first);
  const atEdge = (x: number) => (from + slope * (x - first)).toFixed(2);
  return [
    `<path d="M0 ${atEdge(0)}L${width} ${atEdge(width)}V${height}H0Z" fill="${tone.soft}"/>`,
    `<path d="M${first} ${from}L${last} ${to}" stroke="${tone.colour}" stroke-width="6"/>`,
    `<circle cx="${first}" cy="${from}" r="13" fill="${colours.surface}" stroke="${tone.colour}" stroke-width="6"/>`,
    `<circle cx="${last}" cy="${to}" r="18" fill="${tone.colour}"/>`,
  ].join('');
}

export type Anchor = 'start' | 'middle' | 'end';

/** One line of text; `y` is its baseline. */
export function drawText(
  content: string,
  {
    x,
    y,
    size,
    face,
    fill = colours.text,
    anchor = 'start',
    spacing = 0,
  }: { x: number; y: number; size: number; face: Face; fill?: string; anchor?: Anchor; spacing?: number },
): string {
  return `<text x="${x}" y="${y}" font-family="${face.family}" font-weight="${face.weight}" font-size="${size}" fill="${fill}" text-anchor="${anchor}" letter-spacing="${spacing}" xml:space="preserve">${escapeXml(withDirections(content))}</text>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
