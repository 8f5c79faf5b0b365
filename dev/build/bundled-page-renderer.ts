import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { fingerprintOf } from './build-product.ts';
import { root } from '../settings.ts';

const RENDERER = '#page-renderer';
const BUNDLE = '\0page-renderer.js';
/** Folders and files that the renderer of pages imports. A change in one of them bundles it again. */
const SOURCES = ['web', 'schema', 'verify', 'package-lock.json'];
const CACHE = join(root, '.cache/page-renderer');

/**
 * Bundles the renderer of pages when a test first needs it. Loading its hundreds of modules one by one takes ten times as
 * long. The test processes share the bundle through a file.
 */
export function bundledPageRenderer(): Plugin {
  return {
    name: 'bundled-page-renderer',
    enforce: 'pre',
    resolveId: (source) => (source === RENDERER ? BUNDLE : null),
    load: async (id) => (id === BUNDLE ? readBundle() : null),
  };
}

async function readBundle(): Promise<string> {
  const file = join(CACHE, `${fingerprintOf(SOURCES)}.js`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  rmSync(CACHE, { recursive: true, force: true });
  const code = await bundleRenderer();
  mkdirSync(CACHE, { recursive: true });
  // Renamed when it's whole, because another process may read it.
  const whole = `${file}.${process.pid}`;
  writeFileSync(whole, code);
  renameSync(whole, file);
  return code;
}

async function bundleRenderer(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: 'web/entry-server.tsx',
      write: false,
      minify: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}
