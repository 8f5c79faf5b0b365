import { createPublicKey, verify } from 'node:crypto';

const DAY_S = 24 * 60 * 60;

export interface Identified {
  readonly authorization: string;
  /** The push service's own origin. */
  readonly origin: string;
  /** Unix ms. */
  readonly now: number;
}

/** Checks the sender's signed token (RFC 8292). Returns its key, or null if a push service would refuse it. */
export function checkVapid({ authorization, origin, now }: Identified): string | null {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65 || claims === '') return null;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' },
    format: 'jwk',
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  const secondsLeft = Number(exp) - now / 1000;
  const isValid =
    aud === origin && secondsLeft > 0 && secondsLeft <= DAY_S && /^(?:https?|mailto):/.test(String(sub));
  return isSigned && isValid ? key : null;
}
