/** Only this many characters of a User-Agent are read. The browser and system are named early. */
const READ_LENGTH = 500;

/** The first match counts. Chrome and Safari come last, because other browsers name them, too. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|OPX|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Yandex', /\bYaBrowser\//],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\//],
  ['Brave', /\bBrave\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|Chromium|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
];

const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];

/**
 * Names the browser and the system of a User-Agent, such as 'Chrome on Windows'. The label consists only of
 * our own words, because anybody can send any User-Agent.
 */
export function labelDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, READ_LENGTH);
  const nameIn = (known: typeof BROWSERS) => known.find(([, sign]) => sign.test(text))?.[0];
  const browser = nameIn(BROWSERS);
  const system = nameIn(SYSTEMS);
  if (browser === undefined && system === undefined) return UNKNOWN_DEVICE;
  return system === undefined ? `${browser}` : `${browser ?? 'A browser'} on ${system}`;
}

export const UNKNOWN_DEVICE = 'Unknown device';
