import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { buildProduct } from '#dev/build-product.ts';
import { root } from '#dev/settings.ts';
import { reportResults } from './support/report-results.ts';

// Measures the scripts that `/` loads at first, and compares them with what react-dom, the router and the query client alone
// would need.

const MAX_RATIO = 1.25;
const MAX_FILES = 12;
/** A text of the directory, which may be a chunk of its own. */
const DIRECTORY_TEXT = 'No Callers Found';

const FLOOR = `
import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from '@tanstack/react-router';

function Page() {
  const { data } = useQuery({ queryKey: ['page'], queryFn: () => fetch('/').then((answer) => answer.text()) });
  return createElement('main', null, data, createElement(Link, { to: '/' }, 'Home'), createElement(Outlet));
}
const parent = createRootRoute({ component: Page });
const child = createRoute({ getParentRoute: () => parent, path: '/', component: Page });
const router = createRouter({ routeTree: parent.addChildren([child]), scrollRestoration: true });
const app = createElement(RouterProvider, { router });
hydrateRoot(document.body, createElement(QueryClientProvider, { client: new QueryClient() }, app));
`;

/** The files that a script loads before it runs, itself included. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:import|from)\s*["'](\.\/[^"']+\.js)["']/g,
  )) {
    withImports(join(dirname(file), path), found);
  }
  return found;
}

const brotli = (file: string) => brotliCompressSync(readFileSync(file)).length;

function measure(files: Iterable<string>) {
  const sizes = [...files].map((file) => ({ file: basename(file), brotli: brotli(file) }));
  return { sizes, files: sizes.length, brotli: sizes.reduce((sum, size) => sum + size.brotli, 0) };
}

function measureDirectory() {
  const client = join(root, 'dist/client');
  const html = readFileSync(join(client, 'index.html'), 'utf8');
  const files = new Set<string>();
  for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)) {
    withImports(join(client, path), files);
  }
  const assets = join(client, 'assets');
  for (const name of readdirSync(assets)) {
    const file = join(assets, name);
    if (name.endsWith('.js') && readFileSync(file, 'utf8').includes(DIRECTORY_TEXT)) withImports(file, files);
  }
  return measure(files);
}

async function measureFloor() {
  const folder = mkdtempSync(join(root, '.cache/first-load-'));
  try {
    const entry = join(folder, 'floor.js');
    writeFileSync(entry, FLOOR);
    await build({
      configFile: false,
      logLevel: 'error',
      root: folder,
      build: { outDir: 'out', rolldownOptions: { input: entry } },
    });
    const assets = join(folder, 'out/assets');
    return measure(readdirSync(assets).map((name) => join(assets, name)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await buildProduct();
const [directory, floor] = [measureDirectory(), await measureFloor()];
const ratio = directory.brotli / floor.brotli;
if (process.argv.includes('--files')) console.table(directory.sizes.toSorted((a, b) => b.brotli - a.brotli));
console.table({
  '/': { files: directory.files, 'brotli bytes': directory.brotli },
  'react-dom, router and query': { files: floor.files, 'brotli bytes': floor.brotli },
});
reportResults({
  ratio,
  maxRatio: MAX_RATIO,
  brotli: directory.brotli,
  floorBrotli: floor.brotli,
  files: directory.files,
  maxFiles: MAX_FILES,
});
console.log(`Ratio ${ratio.toFixed(2)} (goal: ${MAX_RATIO}), ${directory.files} files (goal: ${MAX_FILES})`);
