import { fileURLToPath } from 'node:url';
import { cloudflare, type PluginConfig } from '@cloudflare/vite-plugin';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { exampleSources } from './dev/example-sources.ts';
import { responseSchemas } from './dev/response-schemas.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Builds the web UI into dist/client, and the worker with its resolved configuration into dist/solcallers.
 * `worker` adds settings of the local runtime to wrangler.toml.
 */
export function createViteConfig(worker: PluginConfig = {}): UserConfig {
  return {
    root: here('./web'),
    cacheDir: here('./.cache/vite'),
    resolve: { alias: [{ find: STORE_SHIM, replacement: 'use-sync-external-store/with-selector' }] },
    build: {
      outDir: here('./dist'),
      emptyOutDir: true,
      // It would run only after the files that the page preloads.
      modulePreload: { polyfill: false },
    },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            optimization: { inlineConst: { mode: 'all', pass: 3 } },
            output: {
              codeSplitting: { groups: [firstLoad, publicPages] },
              // Reading a property or a global never changes anything here, so unused reads can go.
              minify: {
                compress: {
                  treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
                },
              },
            },
          },
        },
      },
    },
    plugins: [
      tanstackRouter({
        target: 'react',
        autoCodeSplitting: true,
        routesDirectory: here('./web/routes'),
        generatedRouteTree: here('./web/route-tree.gen.ts'),
        quoteStyle: 'single',
        addExtensions: true,
      }),
      react(),
      tailwindcss(),
      preloadFonts(),
      responseSchemas(),
      exampleSources(),
      cloudflare({ configPath: here('./wrangler.toml'), ...worker }),
    ],
  };
}

/** For React 17 and older. React has had the hook itself since. */
const STORE_SHIM = /^use-sync-external-store\/shim\/with-selector(?:\.js)?$/;

/**
 * The directory's first files: the app itself, the directory's own module, which the router's plugin splits off, and React
 * DOM, which the app imports later.
 */
const FIRST_MODULES =
  /\/web\/(?:main\.tsx|routes\/index\.tsx\?tsr-split=component)$|\/react-dom\/client\.js$/;

/** The other pages that the worker renders, by the name of their file. */
const PUBLIC_PAGES = {
  calls: /\/web\/routes\/recent-calls\.tsx\?tsr-split=component$/,
  call: /\/web\/routes\/call\.\$id\.tsx\?tsr-split=component$/,
  caller: /\/web\/routes\/caller\.\$username\.tsx\?tsr-split=component$/,
};

/** Packages name these in an index that the app imports at first, but only later code uses them. */
const LATER_MODULES = /\/(?:useMutation|useMutationState|mutationObserver)\.js$/;

/** Puts everything that the directory loads at first in one file. Two would compress worse and cost a request more. */
const firstLoad: Rolldown.CodeSplittingGroup = {
  debugName: 'first load',
  name: (id, chunking) =>
    !LATER_MODULES.test(id) && isImportedBy(FIRST_MODULES, { id, chunking }) ? 'app' : null,
};

/** A file for each page and one for their shared code. Starting thirty requests blocks a slow phone for a fifth of a second. */
const publicPages: Rolldown.CodeSplittingGroup = {
  debugName: 'public pages',
  name: (id, chunking) => {
    const pages = Object.entries(PUBLIC_PAGES).filter(([, page]) => isImportedBy(page, { id, chunking }));
    const [only] = pages;
    if (only === undefined) return null;
    return pages.length === 1 ? only[0] : 'pages';
  },
};

interface ImportedModule {
  readonly id: string;
  readonly chunking: Rolldown.ChunkingContext;
  readonly seen?: Set<string>;
}

/** True if one of these modules imports the module, directly or through others. */
function isImportedBy(modules: RegExp, { id, chunking, seen = new Set() }: ImportedModule): boolean {
  if (modules.test(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  const importers = chunking.getModuleInfo(id)?.importers ?? [];
  return importers.some((importer) => isImportedBy(modules, { id: importer, chunking, seen }));
}

/** Preloads the Latin fonts, which the first paint needs before the browser has read the styles. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => /latin-wght-normal.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
            injectTo: 'head-prepend',
          })),
    },
  };
}

export default defineConfig(createViteConfig());
