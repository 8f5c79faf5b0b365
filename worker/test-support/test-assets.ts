import headersFile from '../../web/public/_headers?raw';
import source from '../../web/index.html?raw';

/** The headers that web/public/_headers gives to all static files. */
export const SHELL_HEADERS: Readonly<Record<string, string>> = Object.fromEntries(
  (headersFile.split('\n\n')[0] ?? '')
    .split('\n')
    .slice(1)
    .map((line) =>
      line
        .trim()
        .split(/: (.*)/)
        .slice(0, 2),
    ),
);

/** The built page before its data is loaded, plus the Local Wallet's script, as in the local environment. */
export const SHELL = source
  .replace(/src="\/main.tsx"/, 'crossorigin src="/assets/index-B0dy.js"')
  .replace('</head>', '<script defer src="/local-wallet.js"></script></head>');

/** The ASSETS binding with the only file that the worker requests. */
export const testAssets = {
  async fetch(input: RequestInfo | URL): Promise<Response> {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname !== '/') return new Response(null, { status: 404 });
    return new Response(SHELL, {
      headers: {
        ...SHELL_HEADERS,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Length': String(new TextEncoder().encode(SHELL).length),
        ETag: '"shell"',
        'Cache-Control': 'public, max-age=0, must-revalidate',
      },
    });
  },
} as unknown as Fetcher;
