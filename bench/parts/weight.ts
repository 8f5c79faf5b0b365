import { brotliCompressSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContext } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { findChromium } from '#dev/tests/find-chromium.ts';
import { root } from '#dev/settings.ts';
import type { Part } from '../context.ts';
import { findPages } from '../product/find-pages.ts';
import { summarize, type Result } from '../results.ts';

const MAX_SCRIPT_RATIO = 1.35;
const MAX_USER_SCRIPT_RATIO = 1.6;
const MAX_DASHBOARD = { files: 12, requests: 30 };
/** The sample follower, who has subscriptions and payments. */
const FOLLOWER = 'tobi_drift';
const MAX_HTML_BYTES = 110_000;
/** A page is idle after this time without a request. */
const QUIET_MS = 3_000;

/** The imports from React DOM, the router and the query client that every page needs. */
const FLOOR = `
  import { createRoot, hydrateRoot } from 'react-dom/client';
  import { createFileRoute, createRootRouteWithContext, createRouter, lazyRouteComponent, Link, Outlet, RouterProvider,
    useNavigate, useRouterState } from '@tanstack/react-router';
  import { QueryClient, QueryClientProvider, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
  globalThis.used = [createRoot, hydrateRoot, createFileRoute, createRootRouteWithContext, createRouter, lazyRouteComponent,
    Link, Outlet, RouterProvider, useNavigate, useRouterState, QueryClient, QueryClientProvider, useInfiniteQuery,
    useMutation, useQuery];`;

const compressedSize = (text: string) => brotliCompressSync(text).length;

async function measureFloor(): Promise<number> {
  const id = `${root}/bench/floor.js`;
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'floor',
        resolveId: (name) => (name === id ? id : null),
        load: (name) => (name === id ? FLOOR : null),
      },
    ],
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: id,
        optimization: { inlineConst: { mode: 'all', pass: 3 } },
        output: {
          minify: {
            compress: { treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false } },
          },
        },
      },
    },
  })) as Rolldown.RolldownOutput;
  return built.output.reduce((sum, file) => sum + (file.type === 'chunk' ? compressedSize(file.code) : 0), 0);
}

/** Signs in through the local X. */
async function signIn(context: BrowserContext, productUrl: string, handle: string): Promise<void> {
  const start = await context.request.get(`${productUrl}/api/auth/twitter`, { maxRedirects: 0 });
  await context.request.get(`${start.headers()['location']}&login_as=${handle}`);
}

interface Visit {
  readonly productUrl: string;
  readonly path: string;
  /** The handle of the signed-in user */
  readonly as?: string;
}

/** The scripts that a browser loads until the page is idle, compressed, and the number of all requests. */
async function measureVisit(browser: Browser, { productUrl, path, as }: Visit) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    if (as !== undefined) await signIn(context, productUrl, as);
    const page = await context.newPage();
    let requests = 0;
    const scripts: Promise<string>[] = [];
    let lastAt = Date.now();
    page.on('request', () => {
      lastAt = Date.now();
      requests++;
    });
    page.on('response', (response) => {
      const isOurs =
        response.request().resourceType() === 'script' && !response.url().includes('local-wallet');
      if (isOurs) scripts.push(response.text());
    });
    await page.goto(`${productUrl}${path}`);
    while (Date.now() - lastAt < QUIET_MS) await page.waitForTimeout(200);
    const texts = await Promise.all(scripts);
    return {
      bytes: texts.reduce((sum, text) => sum + compressedSize(text), 0),
      files: texts.length,
      requests,
    };
  } finally {
    await context.close();
  }
}

/** The scripts of the public pages until idle, in relation to the libraries, and the size of their HTML. */
export const measureWeight: Part = async ({ openLocal }) => {
  const { productUrl } = await openLocal();
  const floor = await measureFloor();
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    const results: Result[] = [{ what: 'the libraries alone', value: summarize([floor]), unit: 'bytes' }];
    for (const path of await findPages(productUrl)) {
      const name = path.replace(/\/\w{20}$/, '/…');
      const { bytes: scripts } = await measureVisit(browser, { productUrl, path });
      const html = (await (await fetch(`${productUrl}${path}`)).arrayBuffer()).byteLength;
      results.push(
        {
          what: `${name}: scripts until idle`,
          value: summarize([scripts]),
          unit: 'bytes',
          goal: `≤ ${Math.round(MAX_SCRIPT_RATIO * floor)} (${MAX_SCRIPT_RATIO} × the libraries)`,
          isMet: scripts <= MAX_SCRIPT_RATIO * floor,
        },
        {
          what: `${name}: HTML`,
          value: summarize([html]),
          unit: 'bytes',
          goal: `≤ ${MAX_HTML_BYTES}`,
          isMet: html <= MAX_HTML_BYTES,
        },
      );
    }
    for (const visit of await findUserVisits(productUrl)) {
      results.push(...describeUserVisit(visit, await measureVisit(browser, visit), floor));
    }
    return results;
  } finally {
    await browser.close();
  }
};

/** The pages of a follower, and of the caller with the most calls. */
async function findUserVisits(productUrl: string): Promise<readonly Visit[]> {
  const pages = await findPages(productUrl);
  const profile = pages.find((path) => path.startsWith('/caller/'));
  const caller = (await (
    await fetch(`${productUrl}/api${profile?.replace('/caller/', '/callers/')}`)
  ).json()) as {
    twitterHandle: string;
  };
  return [FOLLOWER, caller.twitterHandle].flatMap((as) =>
    [...pages, '/dashboard', '/portfolio', '/payments'].map((path) => ({ productUrl, path, as })),
  );
}

type Measured = Awaited<ReturnType<typeof measureVisit>>;

function describeUserVisit(
  { path, as }: Visit,
  { bytes, files, requests }: Measured,
  floor: number,
): Result[] {
  const name = `${path.replace(/\/\w{20}$/, '/…')} as ${as === FOLLOWER ? 'a follower' : 'a caller'}`;
  const compare = (what: string, value: number, unit: string, most: number): Result => ({
    what: `${name}: ${what}`,
    value: summarize([value]),
    unit,
    goal: `≤ ${Math.round(most)}`,
    isMet: value <= most,
  });
  const scripts = compare('scripts until idle', bytes, 'bytes', MAX_USER_SCRIPT_RATIO * floor);
  if (path !== '/dashboard') return [scripts];
  return [
    scripts,
    compare('script files', files, '', MAX_DASHBOARD.files),
    compare('requests', requests, '', MAX_DASHBOARD.requests),
  ];
}
