import { fileURLToPath } from 'node:url';
import { cloudflare, type PluginConfig } from '@cloudflare/vite-plugin';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * One build for both sides: the SPA into dist/client, the worker with its resolved configuration into
 * dist/solcallers. `worker` says what a local runtime needs beyond wrangler.toml.
 */
export function createViteConfig(worker: PluginConfig = {}): UserConfig {
  return {
    root: here('./web'),
    cacheDir: here('./.cache/vite'),
    build: { outDir: here('./dist'), emptyOutDir: true },
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
      cloudflare({ configPath: here('./wrangler.toml'), ...worker }),
    ],
  };
}

export default defineConfig(createViteConfig());
