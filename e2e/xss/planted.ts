import { type BrowserContext, type Page } from '@playwright/test';
import type { Payload } from './payloads.ts';

export const PLANTED_ORIGIN = 'http://planted.example';

/** Each function returns an HTML document that contains the text without escaping, in another place. */
const sinks: readonly ((text: string) => string)[] = [
  (text) => `<div>${text}</div><script></script>`,
  (text) => `<title>${text}</title>`,
  (text) => `<img alt="${text}" src="x">`,
  (text) => `<img alt='${text}' src='x'>`,
  (text) => `<input value=${text}>`,
  (text) => `<textarea>${text}</textarea>`,
  (text) => `<style>${text}</style>`,
  (text) => `<!-- ${text} -->`,
  (text) => `<meta http-equiv="refresh" content="${text}">`,
  (text) => `<script>x = "${text}"</script>`,
  (text) => `<script>x = '${text}'</script>`,
  (text) => `<script>x = \`${text}\`</script>`,
  (text) => `<script>x = "${text.replaceAll('"', '\\"')}"</script>`,
  (text) => `<script>x = '${text.replaceAll("'", "\\'")}'</script>`,
  (text) => `<script>x = {"y":"${text}"}</script>`,
  (text) => `<script>x = ["${text}"]</script>`,
  (text) => `<script>//${text}\n</script>`,
  (text) => `<svg><text>${text}</text></svg>`,
  (text) => `<script>/*${text}*/</script>`,
  (text) => `<script>eval(${quote(text)})</script>`,
  (text) => byScript(text, `document.body.innerHTML = text`),
  (text) =>
    byScript(text, `document.body.innerHTML = text; document.body.innerHTML = document.body.innerHTML`),
  (text) => byScript(text, `document.write(text.normalize('NFKC').replace(/[\\0\\u200b]/g, ''))`),
  (text) => byScript(text, `document.write(text.replace(/<script>|<.script>/g, ''))`),
  (text) => byFrame(`data:text/xml,${encodeURIComponent(text)}`),
  (text) => byFrame(`data:text/xml,${encodeURIComponent(`<urlset><url><loc><![CDATA[${text}`)}`),
  (text) => byScript(text, `document.write(decodeURIComponent(decodeURIComponent(text)))`),
  (text) => byScript(text, `text.replace(/\\{\\{(.*?)\\}\\}|[$#]\\{(.*?)\\}/g, (_, a, b) => eval(a ?? b))`),
  (text) =>
    byScript(text, `const link = document.createElement('a'); link.href = text; document.body.append(link)`),
  (text) => byScript(text, `document.body.innerHTML = '<a href="' + text + '">x</a>'`),
  (text) =>
    byScript(text, `document.body.append(Object.assign(document.createElement('iframe'), { src: text }))`),
  (text) => byScript(text, `document.body.innerHTML = text.split('=').slice(1).join('=')`),
  (text) =>
    byScript(
      text,
      `document.head.append(Object.assign(document.createElement('script'), { src: text.split('=')[1] }))`,
    ),
  (text) =>
    byScript(
      text,
      `JSON.parse(text, (key, value) => typeof value === 'string' ? show(value) : value)
    function show(value) { document.body.insertAdjacentHTML('beforeend', value); if (value.startsWith('xss')) eval(value) }`,
    ),
];

const quote = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');
const byFrame = (src: string) => `<iframe src="${src}"></iframe>`;
const byScript = (text: string, code: string) =>
  `<body><script>const text = ${quote(text)}; ${code}</script>`;
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/**
 * Makes planted.example respond with one page per payload. The page has no Content-Security-Policy and puts its
 * payload unescaped into every sink.
 */
export async function servePlanted(context: BrowserContext, payloads: readonly Payload[]): Promise<void> {
  await context.route('https://canary.example/**', (route) => route.abort());
  await context.route('http://canary.example/**', (route) => route.abort());
  await context.route(`${PLANTED_ORIGIN}/**`, (route) => {
    const number = Number(new URL(route.request().url()).pathname.slice(1));
    const text = payloads.find((payload) => payload.number === number)?.text;
    const isPage = route.request().resourceType() === 'document';
    if (text === undefined || !isPage) return route.fulfill({ status: 404 });
    const frames = sinks.map((write) => `<iframe srcdoc="${escapeHtml(write(text))}"></iframe>`);
    return route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html>${frames.join('')}`,
    });
  });
}

/** Opens the planted page of a payload. Focuses and clicks its links, buttons and elements with event handlers. */
export async function openPlanted(page: Page, { number }: Payload): Promise<void> {
  await page.goto(`${PLANTED_ORIGIN}/${number}`, { waitUntil: 'load' }).catch(() => undefined);
  await page
    .evaluate(() => {
      for (const { document: inner } of Array.from(window.frames, readableWindow)) {
        for (const element of inner?.querySelectorAll<HTMLElement>('a, button, [onfocus], [onclick]') ?? []) {
          element.focus();
          element.dispatchEvent(new Event('focus'));
          element.click();
        }
      }
      function readableWindow(frame: Window): { document: Document | null } {
        try {
          return { document: frame.document };
        } catch {
          return { document: null };
        }
      }
    })
    .catch(() => undefined);
}

/** The numbers of the payloads that ran or fetched something on their planted page. */
export function executedIn(hits: readonly string[]): Set<number> {
  const executed = hits.filter((hit) => /^(?:ran|request|dialog|window)/.test(hit));
  return new Set(executed.flatMap((hit) => /planted\.example\/(\d+)/.exec(hit)?.[1] ?? []).map(Number));
}
