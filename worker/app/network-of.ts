import type { Context } from 'hono';
import { expandIPv6 } from 'hono/utils/ipaddr';

/**
 * Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address, because one visitor usually
 * has all addresses that share them.
 */
export const networkOf = (address: string): string =>
  address.includes(':') ? expandIPv6(address.toLowerCase()).split(':').slice(0, 4).join(':') : address;

/** The first 48 bits of an IPv6 network, because one customer may have all networks that share them. */
export const wideNetworkOf = (network: string): string =>
  network.includes(':') ? network.split(':').slice(0, 3).join(':') : network;

export function networkOfVisitor(c: Context): string {
  return networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown');
}
