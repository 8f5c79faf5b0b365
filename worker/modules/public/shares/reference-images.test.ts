import { expect, inject, it } from 'vitest';
import { SHARE_IMAGE } from '#schema/constants/public.ts';
import { cardCases, drawCase } from '#test/images/card-cases.ts';
import { decodePng, type DecodedPng } from '#test/images/decode-png.ts';

// Compares drawings with the images in `reference/` pixel by pixel and without tolerance, because WebAssembly and
// our own fonts draw the same on every machine. After an intended change, look at the new drawings
// (.cache/share-images), then update the references: UPDATE_REFERENCES=1 npm test -- worker -t "reference images"

declare module 'vitest' {
  interface ProvidedContext {
    references: { readonly url: string; readonly isUpdate: boolean };
  }
}

const { url, isUpdate } = inject('references');

function differingPixels(one: DecodedPng, other: DecodedPng): number {
  const others = new Uint32Array(other.pixels.buffer);
  return new Uint32Array(one.pixels.buffer).reduce(
    (count, pixel, at) => (pixel === others[at] ? count : count + 1),
    0,
  );
}

const save = async (file: string, { pixels }: DecodedPng) => {
  await (await fetch(`${url}/${file}`, { method: 'PUT', body: pixels })).arrayBuffer();
};

// Specification 9.14
it.each(Object.entries(cardCases))(
  'the reference images equal the drawn cards pixel by pixel: %s',
  async (name, each) => {
    const file = `${name}.png`;
    const drawn = await decodePng((await drawCase(each)).png);
    if (isUpdate) await save(file, drawn);
    const response = await fetch(`${url}/${file}`);
    const included = response.ok ? await decodePng(new Uint8Array(await response.arrayBuffer())) : null;
    const difference =
      included !== null && included.width === drawn.width && included.height === drawn.height
        ? differingPixels(included, drawn)
        : SHARE_IMAGE.width * SHARE_IMAGE.height;
    if (difference > 0) await save(file, drawn);
    expect(difference, `differing pixels in ${file} (the new drawing is .cache/share-images/${file})`).toBe(
      0,
    );
  },
);

it('the reference images are exactly those of the tested cards', async () => {
  expect(await (await fetch(`${url}/`)).json()).toEqual(
    Object.keys(cardCases)
      .map((name) => `${name}.png`)
      .toSorted(),
  );
});
