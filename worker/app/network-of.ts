import type { Context } from 'hono';

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address, because one visitor usually
 * has all addresses that share them.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [start = '', end] = address.toLowerCase().split('::');
  const before = start.split(':').filter((group) => group !== '');
  const after = (end ?? '').split(':').filter((group) => group !== '');
  const zeros = end === undefined ? 0 : Math.max(0, IPV6_GROUPS - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups.slice(0, NETWORK_GROUPS).join(':');
}

export function networkOfVisitor(c: Context): string {
  return networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown');
}
