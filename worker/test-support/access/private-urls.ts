/** This machine, a private network, the address of a cloud's metadata, and a public one. */
const ADDRESSES = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '8.8.8.8'];

const hex = (number: number, length = 1) => number.toString(16).padStart(length, '0');
const fullWidth = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const escaped = (text: string) => text.replace(/\d/g, (digit) => `%3${digit}`);

/** Every notation of an IPv4 address that a URL parser accepts. */
function notationsOf(address: string): string[] {
  const bytes = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0${whole.toString(8)}`,
    bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    fullWidth(address),
    address.replaceAll('.', '。'),
    escaped(address),
    `icons.solana.com@${address}`,
    `icons.solana.com:443@${address}`,
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[2002:${high}:${low}::]`,
  ];
}

/** Hosts that the parser normalises. public-url.test.ts has more of them in their normal form. */
const OTHER_HOSTS = [
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[2606:4700::1111]',
  'LOCALHOST',
  'localhost.',
  'ＬＯＣＡＬＨＯＳＴ',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'router',
  'metadata.google.internal',
  'metadata.google.internal.',
  'icons.solana.com.',
  'icons.solana.com:8443',
  'icons.solana.com:80',
  'ada@icons.solana.com',
  ':secret@icons.solana.com',
  'SolCallers.test',
];

const OTHER_URLS = [
  '',
  'icon.png',
  '/icon.png',
  '//127.0.0.1/icon.png',
  'http://icons.solana.com/icon.png',
  'ftp://icons.solana.com/icon.png',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'blob:https://icons.solana.com/1',
  'javascript:alert(1)',
  'gopher://127.0.0.1:6379/_',
  'ws://icons.solana.com/',
  'https://',
  'https:///127.0.0.1/icon.png',
  'https:127.0.0.1/icon.png',
  'https:\\\\127.0.0.1\\icon.png',
  ' https://127.0.0.1/icon.png',
  'ht\ntps://127.0.0.1/icon.png',
  'https://127.0.0.1\\@icons.solana.com/icon.png',
  'https://127.0.0.1#@icons.solana.com/icon.png',
  'https://127.0.0.1?@icons.solana.com/icon.png',
  `https://icons.solana.com/${'a'.repeat(1_000)}.png`,
];

/** URLs that the server must never request for untrusted input, in every notation. */
export const privateUrls: readonly string[] = [
  ...[...ADDRESSES.flatMap(notationsOf), ...OTHER_HOSTS].map((host) => `https://${host}/icon.png`),
  ...OTHER_URLS,
];
