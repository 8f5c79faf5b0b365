import fc from 'fast-check';
import { expect, it } from 'vitest';
import { labelDevice } from './device-label.ts';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = `${WEBKIT} Chrome/142.0.0.0`;
const IOS = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

it.each([
  ['Chrome on Windows', `${WINDOWS} ${CHROME} Safari/537.36`],
  ['Edge on Windows', `${WINDOWS} ${CHROME} Safari/537.36 Edg/142.0.0.0`],
  ['Opera on Windows', `${WINDOWS} ${CHROME} Safari/537.36 OPR/124.0.0.0`],
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Safari on Mac', `${MAC} ${IOS} Version/26.0 Safari/605.1.15`],
  ['Chrome on Mac', `${MAC} ${CHROME} Safari/537.36`],
  ['DuckDuckGo on Mac', `${MAC} ${IOS} Version/26.0 Safari/605.1.15 Ddg/26.0`],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`],
  ['Chrome on Android', `${ANDROID} ${CHROME} Mobile Safari/537.36`],
  [
    'Samsung Internet on Android',
    `${ANDROID} ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
  ],
  ['Firefox on Android', 'Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
  ['Safari on iPhone', `${IPHONE} ${IOS} Version/26.0 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPhone', `${IPHONE} ${IOS} CriOS/142.0.7444.0 Mobile/15E148 Safari/604.1`],
  ['Firefox on iPhone', `${IPHONE} ${IOS} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
  ['Edge on iPhone', `${IPHONE} ${IOS} Version/26.0 EdgiOS/142.0 Mobile/15E148 Safari/605.1.15`],
  ['A browser on iPhone', `${IPHONE} ${IOS} Mobile/15E148`],
  ['Unknown device', 'curl/8.5.0'],
  ['Unknown device', ''],
  ['Unknown device', undefined],
])('a User-Agent is labelled as "%s"', (label, userAgent) => expect(labelDevice(userAgent)).toBe(label));

it('the label of a User-Agent has only known words, whatever the User-Agent says', () => {
  const word = fc.constantFrom('Chrome/1', 'Windows', '<b>this browser</b>', '\u202E', 'iPhone', 'Edg/1');
  const userAgent = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(word).map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(userAgent, (text) => {
      expect(labelDevice(text)).toMatch(/^(?:Unknown device|[A-Z][A-Za-z ]{3,30})$/);
    }),
  );
});
