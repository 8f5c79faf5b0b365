import { HOUR_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import { fromBase64, fromBase64Url, toBase64Url } from '../shared/base64.ts';

/** Push services accept at most 24 hours. */
const TOKEN_LIFETIME_MS = 12 * HOUR_MS;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

const jsonOf = (value: object) => toBase64Url(new TextEncoder().encode(JSON.stringify(value)));

export interface VapidOptions {
  /** The P-256 key as PKCS #8, in base64. */
  readonly key: string;
  readonly subject: string;
  readonly clock: Clock;
}

export function createVapid({ key, subject, clock }: VapidOptions) {
  let loaded: Awaited<ReturnType<typeof load>> | undefined;
  const load = async () => {
    const privateKey = await crypto.subtle.importKey('pkcs8', fromBase64(key), ALGORITHM, true, ['sign']);
    const exported = await crypto.subtle.exportKey('jwk', privateKey);
    if (exported instanceof ArrayBuffer) throw new TypeError('The key was not exported as JSON.');
    const { x = '', y = '' } = exported;
    const point = [x, y].map(fromBase64Url);
    return { privateKey, publicKey: toBase64Url(new Uint8Array([4, ...point.flatMap((half) => [...half])])) };
  };
  const keys = async () => (loaded ??= await load());

  return {
    publicKey: async () => (await keys()).publicKey,

    async authorize(endpoint: string): Promise<string> {
      const { privateKey, publicKey } = await keys();
      const exp = Math.floor((clock.now() + TOKEN_LIFETIME_MS) / SECOND_MS);
      const claims = { aud: new URL(endpoint).origin, exp, sub: subject };
      const unsigned = `${jsonOf({ typ: 'JWT', alg: 'ES256' })}.${jsonOf(claims)}`;
      const bytes = new TextEncoder().encode(unsigned);
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes);
      return `vapid t=${unsigned}.${toBase64Url(new Uint8Array(signature))}, k=${publicKey}`;
    },
  };
}
