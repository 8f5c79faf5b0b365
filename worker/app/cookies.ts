import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { SECOND_MS } from '#schema/constants/time.ts';

export type Cookies = ReturnType<typeof createCookies>;

export interface NewCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeMs: number;
  /** Scripts can read it, so it must not grant anything. */
  readonly isReadable?: boolean;
}

/**
 * Cookies that scripts can't read unless they are meant to. If the configured origin is https, the cookies are Secure and have the
 * prefix `__Host-`. `parseVars` allows http only on a loopback host. There the cookies have a plain name,
 * because WebKit refuses Secure cookies.
 */
export function createCookies({ appOrigin }: { readonly appOrigin: string }) {
  const isSecure = new URL(appOrigin).protocol !== 'http:';
  const prefix = isSecure ? ('host' as const) : undefined;
  const place = { path: '/', secure: isSecure, ...(prefix && { prefix }) };
  return {
    read: (c: Context, name: string): string | undefined => getCookie(c, name, prefix),
    write(c: Context, { name, value, maxAgeMs, isReadable = false }: NewCookie): void {
      const maxAge = maxAgeMs / SECOND_MS;
      setCookie(c, name, value, { ...place, httpOnly: !isReadable, sameSite: 'Lax', maxAge });
    },
    clear(c: Context, name: string): void {
      deleteCookie(c, name, place);
    },
  };
}
