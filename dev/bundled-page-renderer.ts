import { build, type Plugin, type Rolldown } from 'vite';

const RENDERER = '#page-renderer';
const BUNDLE = '\0page-renderer.js';

/** Bundles the renderer of pages when a test first needs it. Loading its hundreds of modules one by one takes ten times as long. */
export function bundledPageRenderer(): Plugin {
  return {
    name: 'bundled-page-renderer',
    enforce: 'pre',
    resolveId: (source) => (source === RENDERER ? BUNDLE : null),
    load: async (id) => (id === BUNDLE ? bundleRenderer() : null),
  };
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
