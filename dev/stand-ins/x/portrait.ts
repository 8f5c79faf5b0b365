import { hashText } from '../market/noise.ts';
import { renderSvg } from '../render-svg.ts';

/** Draws head and shoulders in two colours that follow from the name, as PNG. */
export function portraitPng({ name, size }: { name: string; size: number }) {
  const hash = hashText(`portrait ${name}`);
  const ground = hash % 360;
  const figure = (ground + 60 + ((hash >> 9) % 240)) % 360;
  return renderSvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${size}" height="${size}">
<rect width="100" height="100" fill="hsl(${ground} 45% 40%)"/>
<g fill="hsl(${figure} 55% 62%)"><circle cx="50" cy="42" r="20"/><circle cx="50" cy="100" r="35"/></g></svg>`);
}
