import { describe, expect, it } from 'vitest';
import { findFreePlace, type Box } from './toast-place.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

describe('findFreePlace', () => {
  it.each([
    ['the bottom right corner of an empty desktop', desktop, 384, [], { left: 1032, top: 796 }],
    ['the place above a button', desktop, 384, [box(1300, 850, 80, 36)], { left: 24, top: 796 }],
    [
      'a higher place if every corner has a button',
      desktop,
      384,
      [box(0, 840, 1440, 60)],
      { left: 1032, top: 756 },
    ],
    ['the top of an empty phone', phone, 358, [], { left: 16, top: 16 }],
    ['the place under the bar of a phone', phone, 358, [box(330, 10, 44, 44)], { left: 16, top: 56 }],
  ])('returns %s', (_name, window, width, controls, place) => {
    expect(findFreePlace({ width, height: 80, window, controls })).toEqual(place);
  });

  it('covers no text of a dialog if there is room, and otherwise a text rather than a control', () => {
    const controls = [box(330, 10, 44, 44)];
    const heading = box(16, 60, 358, 100);
    const input = { width: 358, height: 80, window: phone, controls };
    expect(findFreePlace({ ...input, texts: [heading] }).top).toBe(160);
    const tall = box(0, 56, 390, phone.height);
    expect(findFreePlace({ ...input, texts: [tall] }).top).toBe(56);
  });

  it('covers as few controls as possible if there is no free place', () => {
    const rows = Array.from({ length: 100 }, (_, row) => box(0, row * 10, 390, 9));
    const sparse = rows.filter((_, row) => row < 40 || row > 48 || row === 44);
    expect(findFreePlace({ width: 358, height: 80, window: phone, controls: sparse }).top).toBe(400);
  });
});
