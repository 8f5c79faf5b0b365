import { describe, expect, inject, it } from 'vitest';
import { SHARE_IMAGE } from '#schema/constants.ts';
import { cardCases, drawCase } from '../../test-support/card-cases.ts';
import { decodePng, type DecodedPng } from '../../test-support/png.ts';

// What the cards look like, kept in `reference/` and compared pixel by pixel without any tolerance: the rasteriser is
// WebAssembly with fonts of its own, so that the same drawing is the same picture on every machine. Where a change is
// meant, look at what was drawn (.cache/share-images) and renew them all:
//
//     UPDATE_REFERENCES=1 npm test -- worker -t "reference pictures"

declare module 'vitest' {
  interface ProvidedContext {
    references: { readonly url: string; readonly isUpdate: boolean };
  }
}

const { url, isUpdate } = inject('references');

/** How many pixels of two pictures of one size are not the same. */
function differingPixels(one: DecodedPng, other: DecodedPng): number {
  const others = new Uint32Array(other.pixels.buffer);
  return new Uint32Array(one.pixels.buffer).reduce(
    (count, pixel, at) => (pixel === others[at] ? count : count + 1),
    0,
  );
}

const keep = async (file: string, png: Uint8Array<ArrayBuffer>) => {
  await (await fetch(`${url}/${file}`, { method: 'PUT', body: png })).arrayBuffer();
};

describe('the reference pictures', () => {
  it.each(Object.entries(cardCases))('[9.14] show the card as it is drawn: %s', async (name, each) => {
    const file = `${name}.png`;
    const { png } = await drawCase(each);
    if (isUpdate) await keep(file, png);
    const answer = await fetch(`${url}/${file}`);
    const kept = answer.ok ? await decodePng(new Uint8Array(await answer.arrayBuffer())) : null;
    const drawn = await decodePng(png);
    const difference =
      kept !== null && kept.width === drawn.width && kept.height === drawn.height
        ? differingPixels(kept, drawn)
        : SHARE_IMAGE.width * SHARE_IMAGE.height;
    if (difference > 0) await keep(file, png);
    expect(difference, `pixels of ${file} that differ; .cache/share-images/${file} is what was drawn`).toBe(
      0,
    );
  });

  it('are of these cases and no others', async () => {
    expect(await (await fetch(`${url}/`)).json()).toEqual(
      Object.keys(cardCases)
        .map((name) => `${name}.png`)
        .toSorted(),
    );
  });
});
