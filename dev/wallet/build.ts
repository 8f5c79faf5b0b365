import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const entry = fileURLToPath(new URL('./browser/local-wallet.ts', import.meta.url));

interface BuildLocalWalletOptions {
  rpcUrl: string;
  outFile: string;
}

export async function buildLocalWallet({ rpcUrl, outFile }: BuildLocalWalletOptions): Promise<void> {
  // Restores NODE_ENV afterwards, because Vite's build changes it. Otherwise a dev server that starts later
  // would serve React's production code.
  const { NODE_ENV: nodeEnv } = process.env;
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { LOCAL_RPC_URL: JSON.stringify(rpcUrl), 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: dirname(outFile),
      emptyOutDir: false,
      minify: true,
      lib: { entry, name: 'LocalWallet', formats: ['iife'], fileName: () => basename(outFile) },
    },
  });
  if (nodeEnv === undefined) delete process.env['NODE_ENV'];
  // Escape non-ASCII characters, because ASCII reads the same in every charset.
  const script = await readFile(outFile, 'utf8');
  await writeFile(
    outFile,
    script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
