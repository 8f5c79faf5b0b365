import source from '../../web/index.html?raw';

/** What comes with every static page (web/public/_headers), in short. */
export const SHELL_HEADERS = {
  'Content-Security-Policy': "default-src 'self'",
  'X-Content-Type-Options': 'nosniff',
};

/** The app's shell as a build leaves it, with the Local Wallet's script in it as in the local world. */
export const SHELL = source
  .replace(/src="\/main.tsx"/, 'crossorigin src="/assets/index-B0dy.js"')
  .replace('</head>', '<script defer src="/local-wallet.js"></script></head>');

/** The binding ASSETS, as the platform answers for the one file that the worker asks for. */
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
