import type { Plugin } from 'vite';

/** Serves the module `virtual:<name>` with the source that `load` returns when a module first imports it. */
export function virtualModule(name: string, load: () => string | Promise<string>): Plugin {
  const id = `\0virtual:${name}`;
  return {
    name,
    resolveId: (source) => (source === `virtual:${name}` ? id : null),
    load: (loaded) => (loaded === id ? load() : null),
  };
}
