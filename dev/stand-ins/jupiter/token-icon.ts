import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { hashText } from '../market/noise.ts';
import { renderSvg } from '../render-svg.ts';
import { root } from '../../settings.ts';

const FONT = `${root}/worker/modules/public/shares/fonts/geist-noto-semibold.bin`;
const drawn = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** Draws a round icon as PNG. Its colour and letters depend on the symbol. */
export function tokenIconPng(symbol: string): Promise<Uint8Array<ArrayBuffer>> {
  const icon = drawn.get(symbol) ?? renderSvg(tokenIconSvg(symbol), [new Uint8Array(readFileSync(FONT))]);
  drawn.set(symbol, icon);
  return icon;
}

function tokenIconSvg(symbol: string): string {
  const letters = [...symbol.replace(/^\$/, '')].slice(0, 4).join('');
  const hue = hashText(`hue ${symbol}`) % 360;
  const size = [62, 62, 50, 40, 33][letters.length] ?? 33;
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox="0 0 128 128"
    width="128"
    height="128"
    role="img"
    aria-label="${symbol}"
  >
    <circle cx="64" cy="64" r="64" fill="hsl(${hue} 62% 34%)" />
    <text
      x="64"
      y="65"
      fill="#fff"
      font-family="Geist"
      font-size="${size}"
      font-weight="600"
      text-anchor="middle"
      dominant-baseline="central"
    >
      ${letters}
    </text>
  </svg>`.toString();
}
