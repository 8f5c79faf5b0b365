import { createECDH } from 'node:crypto';
import { encryptNotification } from '@block65/webcrypto-web-push';
import { expect, it } from 'vitest';
import { decryptPush } from './decrypt.ts';
import { createPushService } from './push-service.ts';

it('the local push service decrypts the example of RFC 8291', () => {
  const keys = createECDH('prime256v1');
  keys.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url');
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url');
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  );
  expect(decryptPush(body, { keys, auth })).toBe('When I grow up, I want to be a watermelon');
});

it('the local push service decrypts a message of our sender, but not a changed message', async () => {
  const push = createPushService();
  const { id, keys } = push.subscribe();
  const subscription = { endpoint: 'https://push.example/x', expirationTime: null, keys };
  const body = await encryptNotification(subscription, new TextEncoder().encode('New call: €'));
  const browser = push.find(id);
  if (!browser) throw new Error('The browser is missing');
  expect(decryptPush(Buffer.from(body), browser)).toBe('New call: €');
  const changed = Buffer.from(body);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(() => decryptPush(changed, browser)).toThrow();
});
