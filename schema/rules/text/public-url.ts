/** The parts of a parsed URL. The parser has turned every notation of an IP address into digits and dots. */
export interface UrlParts {
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  /** Empty for the default port of the protocol. */
  readonly port: string;
}

/** Matches at least two labels, the last one without digits. Excludes IP addresses and names in a local network. */
const PUBLIC_HOST = /^(?:[a-z\d_-]+\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)$/;

/** These domains are reserved (RFC 6761 and 6762) or used in private networks. The public DNS doesn't resolve them. */
const PRIVATE_DOMAINS: readonly (string | undefined)[] = [
  'alt',
  'arpa',
  'cluster',
  'corp',
  'default',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
  'svc',
  'test',
];

/**
 * True if the server may request this URL, which a stranger chose. Its host must have a public name. A public
 * name that resolves to a private address (127.0.0.1.nip.io) isn't detected.
 */
export function isPublicUrl({ protocol, username, password, hostname, port }: UrlParts): boolean {
  return (
    protocol === 'https:' &&
    username === '' &&
    password === '' &&
    port === '' &&
    PUBLIC_HOST.test(hostname) &&
    !PRIVATE_DOMAINS.includes(hostname.split('.').at(-1))
  );
}
