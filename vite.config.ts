import { fileURLToPath } from 'node:url';
import { cloudflare, type PluginConfig } from '@cloudflare/vite-plugin';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { exampleSources } from './dev/build/example-sources.ts';
import { migrationNames } from './dev/build/migrations.ts';
import { apiDocs } from './dev/build/open-api/plugin.ts';

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
      modulePreload: {
        // It would run only after the files that the page preloads.
        polyfill: false,
        // The import itself loads the file. These are the other files that it needs.
        resolveDependencies: (file, needed) => needed.filter((each) => each !== file),
      },
    },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            optimization: { inlineConst: { mode: 'all', pass: 3 } },
            output: {
              // The app lists these names.
              chunkFileNames: 'assets/[hash].js',
              // Otherwise, a page's file would also have what it shares with other pages.
              codeSplitting: {
                groups: [publicPages, tokenSafety, userParts],
                includeDependenciesRecursively: false,
              },
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
      apiDocs(),
      exampleSources(),
      migrationNames(),
      cloudflare({ configPath: here('./wrangler.toml'), ...worker }),
    ],
  };
}

/** For React 17 and older. React has had the hook itself since. */
const STORE_SHIM = /^use-sync-external-store\/shim\/with-selector(?:\.js)?$/;

/** The app itself, and what it imports later on each page: React DOM, and the layout below the first screen. */
const FIRST_MODULES = /\/web\/main\.tsx$|\/react-dom\/client\.js$|\/layout\/after-first-screen\.tsx$/;

/** The pages that the worker renders, by the name of their file. */
const FILES = {
  directory: /\/web\/routes\/index\.tsx\?tsr-split=component$/,
  calls: /\/web\/routes\/recent-calls\.tsx\?tsr-split=component$/,
  call: /\/web\/routes\/call\.\$id\.tsx\?tsr-split=component$/,
  caller: /\/web\/routes\/caller\.\$username\.tsx\?tsr-split=component$/,
  compare: /\/web\/routes\/compare\.tsx\?tsr-split=component$/,
};

/** Packages name these in an index that the app imports at first, but only later code uses them. */
const LATER_MODULES = /\/(?:useQueries|queriesObserver|useMutation|useMutationState|mutationObserver)\.js$/;

/**
 * A file for the app with what these pages share, and one for each page. Small files compress badly, and starting thirty
 * requests blocks a slow phone for a fifth of a second. What a page shares with dialogs and other later parts is separate,
 * so that they don't load the page.
 */
const publicPages: Rolldown.CodeSplittingGroup = {
  debugName: 'public pages',
  name: (id, chunking) => {
    if (LATER_MODULES.test(id)) return null;
    const importers = [...importersOf(id, chunking)];
    if (importers.some((importer) => FIRST_MODULES.test(importer))) return 'app';
    const names = Object.entries(FILES).flatMap(([name, file]) =>
      importers.some((importer) => file.test(importer)) ? name : [],
    );
    const [first] = names;
    if (first === undefined) return null;
    if (names.length > 1) return 'app';
    const isFile = (importer: string) => Object.values(FILES).some((file) => file.test(importer));
    const isShared = importers.some(
      (importer) => !isFile(importer) && chunking.getModuleInfo(importer)?.importers.length === 0,
    );
    return isShared ? `${first}-shared` : first;
  },
};

/** A file for the safety of a token, which the token's page and a caller's form show. */
const tokenSafety: Rolldown.CodeSplittingGroup = {
  debugName: 'token safety',
  name: 'token-safety',
  test: /\/(?:token-facts\.tsx|ranking\.ts|token-safety\.ts|stable-coin-mints\.ts|prices\/(?:units|prices)\.ts|lists\/facts\.tsx)$/,
};

/** The pages of users, and what every page loads for a user. */
const USERS =
  /\/routes\/(?:dashboard|settings\.\$section|payments.*|portfolio)\.tsx\?|\/layout\/avatar-menu\.tsx$|\/api\/live\.ts$/;
/** Loaded on each page of a user, or after a user's first action on most of them. */
const USER_LIBRARIES =
  /\/(?:useMutation|useMutationState|mutationObserver)\.js$|\/(?:more-icons|live|live-calls|share-drafts|shares\.queries|gets-messages)\.ts$|\/(?:avatar-menu|viewer-actions|share-runner|mute-toggle)\.tsx$/;
/** Dialogs need a library of 17 kB, and visitors also load the parts below these. */
const NOT_FOR_USERS =
  /\/overlays\/dialog\.tsx$|\/calculator\.tsx$|\/line-chart\.tsx$|\/routes\/(?:token|compare)\b/;

/** A file for what several pages of users share, instead of twenty files of 300 bytes. */
const userParts: Rolldown.CodeSplittingGroup = {
  debugName: 'user parts',
  name: (id, chunking) => {
    if (USER_LIBRARIES.test(id)) return 'users';
    if (id.includes('node_modules') || id.includes('/lib/wallets/')) return null;
    const importers = [...importersOf(id, chunking)];
    const starts = importers.filter((importer) => chunking.getModuleInfo(importer)?.importers.length === 0);
    const isShared = starts.length > 1 && starts.some((start) => USERS.test(start));
    const isElsewhere = importers.some((importer) => NOT_FOR_USERS.test(importer));
    return isShared && !isElsewhere && !needsDialog(id, chunking) ? 'users' : null;
  },
};

function needsDialog(id: string, chunking: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const imported = chunking.getModuleInfo(id)?.importedIds ?? [];
  return id.endsWith('/overlays/dialog.tsx') || imported.some((each) => needsDialog(each, chunking, seen));
}

/** A module and the modules that import it, directly or through others. */
function importersOf(id: string, chunking: Rolldown.ChunkingContext, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const importer of chunking.getModuleInfo(id)?.importers ?? []) importersOf(importer, chunking, found);
  return found;
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
