import { brotliCompressSync } from 'node:zlib';
import { chromium, type Browser } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { findChromium } from '#dev/tests/find-chromium.ts';
import { root } from '#dev/settings.ts';
import type { Part } from '../context.ts';
import { findPages } from '../product/find-pages.ts';
import { summarize, type Result } from '../results.ts';

const MAX_SCRIPT_RATIO = 1.35;
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

/** The compressed size of all scripts that a visitor's browser loads until the page is idle. */
async function measureScripts(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const scripts: Promise<string>[] = [];
    let lastAt = Date.now();
    page.on('request', () => (lastAt = Date.now()));
    page.on('response', (response) => {
      const isOurs =
        response.request().resourceType() === 'script' && !response.url().includes('local-wallet');
      if (isOurs) scripts.push(response.text());
    });
    await page.goto(url);
    while (Date.now() - lastAt < QUIET_MS) await page.waitForTimeout(200);
    return (await Promise.all(scripts)).reduce((sum, text) => sum + compressedSize(text), 0);
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
      const name = path.replace(/\/[\w-]{36}$/, '/…');
      const scripts = await measureScripts(browser, `${productUrl}${path}`);
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
    return results;
  } finally {
    await browser.close();
  }
};
