import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS, SHARE_IMAGE } from '#schema/constants.ts';
import { expectRefusal } from '../../test-support/answers.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '../../test-support/callers.ts';
import { decodePng } from '../../test-support/png.ts';
import { makeEndedCall, readImage } from '../../test-support/shares.ts';
import { createTestApp, type Person, type TestApp } from '../../test-support/test-app.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'amara_calls');
});

const GAIN = [0x47, 0xd9, 0xbb];
const LOSS = [0xfa, 0x82, 0x5d];

/** How many pixels are exactly of a colour. */
function countOf(pixels: Uint8Array, [red, green, blue]: readonly number[]): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue) count++;
  return count;
}

describe('the share image', () => {
  it('is a PNG of 1200×675 for everyone, every pixel of it opaque', async () => {
    const call = await makeEndedCall({ caller });
    const answer = await app.request(`/api/token-calls/${call.id}/share.png`);
    expect(answer.headers.get('Content-Type')).toBe('image/png');
    const { width, height, pixels } = await decodePng(new Uint8Array(await answer.arrayBuffer()));
    expect({ width, height }).toEqual(SHARE_IMAGE);
    expect(pixels.filter((_, index) => index % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
  });

  it('gives a win and a loss the same room, each in its colour', async () => {
    const won = await decodePng(await readImage(app, (await makeEndedCall({ caller, from: 2, to: 3 })).id));
    const lost = await decodePng(await readImage(app, (await makeEndedCall({ caller, from: 2, to: 1 })).id));
    const [wins, losses] = [countOf(won.pixels, GAIN), countOf(lost.pixels, LOSS)];
    expect([countOf(won.pixels, LOSS), countOf(lost.pixels, GAIN)]).toEqual([0, 0]);
    expect(wins).toBeGreaterThan(10_000);
    expect(losses / wins).toBeGreaterThan(0.8);
    expect(losses / wins).toBeLessThan(1.2);
  });

  it('of a Paid caller’s ended call is for everyone too', async () => {
    const { caller: paid } = await createPaidCaller(app);
    await decodePng(await readImage(app, (await makeEndedCall({ caller: paid })).id));
  });

  it('appears the moment the call has ended', async () => {
    const call = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
    await expectRefusal(app.request(`/api/token-calls/${call.id}/share.png`), 'calls.not_found');
    await app.advance(MINUTE_MS);
    await endCall({ caller, call, price: 1.1 });
    await decodePng(await readImage(app, call.id));
  });

  it('has one address: there is nothing at any other spelling of it', async () => {
    const { id } = await makeEndedCall({ caller });
    const escaped = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
    for (const path of [
      `${id}/share.png?again=1`,
      `${id}/share.png?`,
      `${id}/share.png?&`,
      `${id}/share%2Epng`,
      `${id}/%73hare.png`,
      `${escaped(id.charAt(0))}${id.slice(1)}/share.png`,
      `${id.slice(0, -1)}${escaped(id.slice(-1))}/share.png`,
    ]) {
      await expectRefusal(app.request(`/api/token-calls/${path}`), 'request.not_found');
    }
    await expectRefusal(app.request(`/%61pi/token-calls/${id}/share.png`), 'request.not_found');
    await readImage(app, id);
  });
});
