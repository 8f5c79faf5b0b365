import { hashText } from '../market/noise.ts';
import { encodePng } from './png.ts';

const COLOURS = [
  '264653',
  'e76f51',
  '2a9d8f',
  'e9c46a',
  '6d597a',
  '355070',
  '4c6ef5',
  '606c38',
  '833860',
].map((code) => Buffer.from(code, 'hex'));

/** Draws head and shoulders in two colours that follow from the name, as PNG. */
export function portraitPng({ name, size }: { name: string; size: number }): Buffer {
  const hash = hashText(`portrait ${name}`);
  const ground = hash % COLOURS.length;
  const figure = (ground + 1 + ((hash >> 8) & 7)) % COLOURS.length;
  const rgb = Buffer.alloc(size * size * 3);
  for (let at = 0; at < size * size; at += 1) {
    const [x, y] = [(at % size) / size, Math.floor(at / size) / size];
    const isFigure = Math.hypot(x - 0.5, y - 0.42) < 0.2 || Math.hypot(x - 0.5, y - 1) < 0.35;
    rgb.set(COLOURS[isFigure ? figure : ground] ?? [0, 0, 0], at * 3);
  }
  return encodePng({ width: size, height: size, rgb });
}
