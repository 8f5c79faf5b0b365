import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { SHARE_IMAGE } from '#schema/constants/public.ts';
import { shownHandle } from '#schema/rules/people/person-name.ts';
import type { Image } from '../../../ports/image.ts';
import { toBase64 } from '../../../shared/base64.ts';
import { escapeXml } from '../../../shared/xml.ts';
import { faces, type Face } from './card-fonts.ts';
import { colours, LEFT, RIGHT, ROOM, SMALLEST_TEXT, toneOf, type Anchor } from './card-layout.ts';
import { drawable, fitFigure, measure, truncate, withDirections, type Variants } from './card-text.ts';

const { width, height } = SHARE_IMAGE;

export function drawCard(parts: readonly string[], host: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${colours.surface}"/>`,
    drawBrand(host),
    ...parts,
    '</svg>',
  ].join('');
}

/** A caller on a card. Without an image, a disc shows their first letter. */
export interface CardPerson {
  readonly name: string;
  readonly handle: string;
  readonly isVerified: boolean;
  readonly avatar: Image | null;
}

interface PersonLayout {
  /** In px. */
  readonly top: number;
  readonly radius: number;
  readonly name: number;
  readonly handle: number;
  /** Follows the handle. */
  readonly note?: Variants | null;
  readonly host: string;
}

/** Draws image, name and handle at the top left. If the name can't be drawn, the handle replaces it. */
export function drawPerson(person: CardPerson, sizes: PersonLayout): string {
  const { top, radius } = sizes;
  const centre = { x: LEFT + radius, y: top + radius };
  const x = LEFT + 2 * radius + 28;
  // `drawable` removes control characters, because an SVG with a control character can't be read.
  const handle = drawable(shownHandle({ twitterHandle: person.handle }), faces.regular);
  const name = drawable(person.name, faces.semibold);
  const title = name === '' ? handle : name;
  const room = LEFT + ROOM - widthOfBrand(sizes.host) - 40 - x;
  // A sixth of the free height goes above the texts and a sixth below them. The rest goes between the texts,
  // because ي reaches almost half its font size below the baseline.
  const gap = (2 * radius - sizes.name * 0.72 - sizes.handle * 0.95) / 6;
  const note = sizes.note ?? null;
  const isAlone = name === '' && note === null;
  const baseline = isAlone ? centre.y + sizes.name * 0.36 : top + gap + sizes.name * 0.74;
  const titleSize = personTitleSize(title, { room, size: sizes.name });
  const parts = [
    drawDisc({ ...centre, radius, letter: firstLetter(title), avatar: person.avatar }),
    drawText(truncate(title, { face: faces.semibold, size: titleSize, maxWidth: room }), {
      x,
      y: baseline,
      size: titleSize,
      face: faces.semibold,
    }),
  ];
  if (person.isVerified) {
    const offset = radius * 0.74;
    const markRadius = Math.max(18, radius * 0.32);
    parts.push(drawVerifiedMark({ x: centre.x + offset, y: centre.y + offset, radius: markRadius }));
  }
  if (!isAlone) {
    const y = top + 2 * radius - gap - sizes.handle * 0.12;
    parts.push(drawHandle(name === '' ? '' : handle, { x, y, size: sizes.handle, room, note }));
  }
  return parts.join('');
}

interface HandleLayout {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly room: number;
  readonly note: Variants | null;
}

/** A long handle is cut before the note is. */
function drawHandle(handle: string, { x, y, size, room, note }: HandleLayout): string {
  const face = faces.regular;
  const gap = handle === '' ? 0 : size * 0.6;
  const noteWidth = note === null ? 0 : measure(note.at(-1) ?? '', face) * size + gap;
  const shown = truncate(handle, { face, size, maxWidth: room - noteWidth });
  const drawn = drawText(shown, { x, y, size, face, fill: colours.muted });
  if (note === null) return drawn;
  const noteX = x + measure(shown, face) * size + gap;
  const { text } = fitFigure(note, { face, size, smallest: size, maxWidth: x + room - noteX });
  return drawn + drawText(text, { x: noteX, y, size, face });
}

/** A long name gets a smaller font before it is truncated. */
function personTitleSize(title: string, { room, size }: { room: number; size: number }): number {
  const fitting = Math.floor(room / measure(title, faces.semibold));
  return Math.max(SMALLEST_TEXT, size * 0.7, Math.min(size, fitting));
}

function firstLetter(title: string): string {
  const [letter = ''] = title.replace(/^[^\p{L}\p{N}]+/u, '').toUpperCase();
  return letter;
}

interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly letter: string;
  readonly avatar: Image | null;
}

function drawDisc({ x, y, radius, letter, avatar }: Disc): string {
  const circle = `<circle cx="${x}" cy="${y}" r="${radius}"`;
  const disc = `${circle} fill="${colours.raised}"/>`;
  if (avatar === null) {
    const size = Math.max(SMALLEST_TEXT, radius);
    return disc + drawText(letter, { x, y: y + size * 0.36, size, face: faces.semibold, anchor: 'middle' });
  }
  const image = embedAvatar(avatar, { x: x - radius, y: y - radius, size: 2 * radius });
  return `${disc}<clipPath id="disc">${circle}/></clipPath><g clip-path="url(#disc)">${image}</g>`;
}

export function embedAvatar(
  { type, bytes }: Image,
  { x, y, size }: { x: number; y: number; size: number },
): string {
  const place = `x="${x}" y="${y}" width="${size}" height="${size}" preserveAspectRatio="xMidYMid slice"`;
  return `<image ${place} href="data:${type};base64,${toBase64(bytes)}"/>`;
}

function drawVerifiedMark({ x, y, radius }: { x: number; y: number; radius: number }): string {
  const stroke = 'fill="none" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round"';
  return [
    `<g transform="translate(${x} ${y}) scale(${radius / 16})">`,
    `<circle r="16" fill="${colours.accent}" stroke="${colours.surface}" stroke-width="4"/>`,
    `<path d="M-7 0.5l4.8 4.8 9-9.6" stroke="${colours.onAccent}" ${stroke}/>`,
    '</g>',
  ].join('');
}

const BRAND = { size: 36, markWidth: 52, baseline: 80 } as const;
const HOST = { face: faces.regular, size: 34, smallest: SMALLEST_TEXT, maxWidth: ROOM * 0.36 };
const brandWidth = BRAND.markWidth + measure(PRODUCT_NAME, faces.semibold) * BRAND.size;

function widthOfBrand(host: string): number {
  const { text, size } = fitFigure([host], HOST);
  return Math.max(brandWidth, measure(text, HOST.face) * size);
}

/** Draws the logo, the product name and the site's host at the top right. The path is from web/ui/logo.tsx. */
function drawBrand(host: string): string {
  const { baseline } = BRAND;
  const place = `translate(${RIGHT - brandWidth} ${baseline - 34}) scale(1.5)`;
  const name = { x: RIGHT, y: baseline, size: BRAND.size, face: faces.semibold, anchor: 'end' } as const;
  const { text, size } = fitFigure([host], HOST);
  const address = {
    x: RIGHT,
    y: baseline + 50,
    size,
    face: HOST.face,
    fill: colours.muted,
    anchor: 'end',
  } as const;
  return [
    `<g transform="${place}" stroke-width="2.25">`,
    `<path d="M8.2 18.6 19 8.4" stroke="${colours.text}"/>`,
    `<circle cx="6" cy="20.8" r="3.2" fill="none" stroke="${colours.text}"/>`,
    `<circle cx="21.5" cy="6.2" r="4.7" fill="${colours.accent}"/>`,
    '</g>',
    drawText(PRODUCT_NAME, name),
    drawText(text, address),
  ].join('');
}

interface Fact {
  readonly label: string;
  readonly variants: Variants;
  readonly face: Face;
  readonly x: number;
  readonly anchor: Anchor;
  readonly maxWidth: number;
}

/** Draws a small figure under the line, with its name above it. */
export function drawFact({ label, variants, face, x, anchor, maxWidth }: Fact): string {
  const { text, size } = fitFigure(variants, { face, size: 44, smallest: SMALLEST_TEXT, maxWidth });
  return (
    drawText(label, { x, y: 582, size: 34, face: faces.regular, fill: colours.muted, anchor }) +
    drawText(text, { x, y: 634, size, face, anchor })
  );
}

interface ChangeLine {
  readonly changePercent: number;
  /** The vertical middle of the line, in px. */
  readonly y: number;
  /**
   * The vertical distance between the two ends of the line, in px. It grows from `least` to `most`, which it
   * reaches at a change of 100%.
   */
  readonly rise: { readonly least: number; readonly most: number };
}

export function drawLine({ changePercent, y, rise }: ChangeLine): string {
  const tone = toneOf(changePercent);
  const share = Math.min(1, Math.abs(changePercent) / 100);
  const distance = tone.direction * (rise.least + (rise.most - rise.least) * share);
  const [from, to] = [y + distance / 2, y - distance / 2];
  const [first, last] = [LEFT + 14, RIGHT - 18];
  const slope = (to - from) / (last - first);
  const atEdge = (x: number) => (from + slope * (x - first)).toFixed(2);
  const stroke = `stroke="${tone.colour}" stroke-width="6"`;
  return [
    `<path d="M0 ${atEdge(0)}L${width} ${atEdge(width)}V${height}H0Z" fill="${tone.soft}"/>`,
    `<path d="M${first} ${from}L${last} ${to}" ${stroke}/>`,
    `<circle cx="${first}" cy="${from}" r="13" fill="${colours.surface}" ${stroke}/>`,
    `<circle cx="${last}" cy="${to}" r="18" fill="${tone.colour}"/>`,
  ].join('');
}

interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly face: Face;
  readonly fill?: string;
  readonly anchor?: Anchor;
  readonly spacing?: number;
}

export function drawText(
  content: string,
  { x, y, size, face, fill = colours.text, anchor = 'start', spacing = 0 }: TextStyle,
): string {
  const font = `font-family="${face.family}" font-weight="${face.weight}" font-size="${size}"`;
  const style = `${font} fill="${fill}" text-anchor="${anchor}" letter-spacing="${spacing}"`;
  return `<text x="${x}" y="${y}" ${style} xml:space="preserve">${escapeXml(withDirections(content))}</text>`;
}
