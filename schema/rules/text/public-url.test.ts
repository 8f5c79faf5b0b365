import { expect, it } from 'vitest';
import { isPublicUrl } from './public-url.ts';

const url = { protocol: 'https:', username: '', password: '', hostname: 'icons.solana.com', port: '' };

it.each(['icons.solana.com', 'ipfs.io', 'a-b.c_d.co.uk', 'xn--bcher-kva.de', 'shop.xn--p1ai', '1.2.3.4.com'])(
  'an image URL with the public host %s is accepted',
  (hostname) => {
    expect(isPublicUrl({ ...url, hostname })).toBe(true);
  },
);

const REFUSED_HOSTS = `
  localhost router com 127.0.0.1 10.0.0.1 8.8.8.8 [::1] [::ffff:7f00:1] solana.com. localhost.
  .solana.com solana..com app.localhost printer.local metadata.google.internal db.corp nas.lan
  icons.test icons.example 1.0.0.127.in-addr.arpa hidden.onion icons.c0m icons.alt icons.cluster
  icons.default icons.home icons.intranet icons.invalid icons.localdomain icons.private icons.svc
`;

it.each(['', ...REFUSED_HOSTS.trim().split(/\s+/)])(
  'an image URL with the host %j is refused',
  (hostname) => {
    expect(isPublicUrl({ ...url, hostname })).toBe(false);
  },
);

it.each([
  { protocol: 'http:' },
  { protocol: 'ftp:' },
  { protocol: 'data:' },
  { username: 'ada' },
  { password: 'secret' },
  { port: '8443' },
  { port: '22' },
])('an image URL with %j is refused', (part) => {
  expect(isPublicUrl(url)).toBe(true);
  expect(isPublicUrl({ ...url, ...part })).toBe(false);
});
