import { readFileSync } from 'node:fs';
import { escapeXml } from '../controls/escape-xml.ts';
import { hashText } from '../market/noise.ts';
import { renderSvg } from '../render-svg.ts';
import { root } from '../settings.ts';

const FONT = `${root}/worker/modules/public/shares/fonts/geist-noto-semibold.bin`;
const drawn = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** Draws a round icon as PNG. Its colours, shape and letters depend on the symbol. */
export function tokenIconPng(symbol: string): Promise<Uint8Array<ArrayBuffer>> {
  const icon = drawn.get(symbol) ?? renderSvg(tokenIconSvg(symbol), [new Uint8Array(readFileSync(FONT))]);
  drawn.set(symbol, icon);
  return icon;
}

function tokenIconSvg(symbol: string): string {
  const letters = [...symbol.replace(/^\$/, '')].slice(0, 4).join('');
  const hue = hashText(`hue ${symbol}`) % 360;
  const partner = (hue + 35 + (hashText(`partner ${symbol}`) % 110)) % 360;
  const turn = hashText(`turn ${symbol}`) % 360;
  const size = [62, 62, 50, 40, 33][letters.length] ?? 33;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="128" height="128" role="img" aria-label="${escapeXml(symbol)}">
<clipPath id="c"><circle cx="64" cy="64" r="64"/></clipPath>
<g clip-path="url(#c)"><rect width="128" height="128" fill="hsl(${hue} 62% 34%)"/>
<g transform="rotate(${turn} 64 64)" fill="hsl(${partner} 66% 48%)" fill-opacity=".75">${backdrop(symbol)}</g></g>
<text x="64" y="65" fill="#fff" font-family="Geist" font-size="${size}" font-weight="600" text-anchor="middle" dominant-baseline="central">${escapeXml(letters)}</text>
</svg>`;
}

function backdrop(symbol: string): string {
  const shapes = [
    '<rect y="64" width="128" height="64"/>',
    '<circle cx="100" cy="100" r="56"/>',
    '<path d="M0 128L128 0v128z"/>',
    '<path d="M0 40h128v48H0z"/>',
    '<circle cx="64" cy="64" r="48"/>',
  ];
  return shapes[hashText(`shape ${symbol}`) % shapes.length] ?? '';
}
