import { encryptNotification } from '@block65/webcrypto-web-push';
import { expect, it } from 'vitest';
import { fromBase64Url } from '#worker/shared/base64.ts';
import { createBrowser, openBrowser } from './browser.ts';

it('the local push service decrypts the example of RFC 8291', async () => {
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const point = {
    kty: 'EC',
    crv: 'P-256',
    x: 'JXGyvs3942BVGq8e0PTNNmwRzr5VX4m8t7GGpTM5FzE',
    y: 'aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  };
  const secret = { ...point, d: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94' };
  const publicKey = await crypto.subtle.importKey('jwk', point, curve, true, []);
  const privateKey = await crypto.subtle.importKey('jwk', secret, curve, false, ['deriveBits']);
  const browser = await createBrowser({ publicKey, privateKey }, fromBase64Url('BTBZMqHH6r4Tts7J_aSIgg'));
  const body = fromBase64Url(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  expect(await browser.decrypt(body)).toBe('When I grow up, I want to be a watermelon');
});

it('the local push service decrypts a message of our sender, but not a changed message', async () => {
  const browser = await openBrowser();
  const subscription = { endpoint: 'https://push.example/x', expirationTime: null, keys: browser.keys };
  const body = new Uint8Array(
    await encryptNotification(subscription, new TextEncoder().encode('New call: €')),
  );
  expect(await browser.decrypt(body)).toBe('New call: €');
  body[body.length - 1] = (body.at(-1) ?? 0) ^ 1;
  await expect(browser.decrypt(body)).rejects.toThrow();
});
