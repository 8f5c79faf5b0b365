import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';
import { buildLocalWallet } from '../wallet/build.ts';

export interface SiteOptions {
  readonly dataDir: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly solanaUrl: string;
}

/**
 * Copies the production build for the local runtime, adds the Local Wallet's script, lets the Content-Security-Policies
 * allow requests to the local chain, and makes it the verifier's endpoint. Returns the path of wrangler's configuration.
 */
export async function prepareSite({ dataDir, vars, solanaUrl }: SiteOptions): Promise<string> {
  const site = join(dataDir, 'site');
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  cpSync(join(root, 'dist/client'), join(site, 'client'), { recursive: true });
  cpSync(join(root, 'dist/solcallers'), join(site, 'worker'), { recursive: true });

  await buildLocalWallet({ rpcUrl: solanaUrl, outFile: join(site, 'client/local-wallet.js') });
  edit(join(site, 'client/index.html'), '</head>', '<script defer src="/local-wallet.js"></script></head>');
  edit(join(site, 'client/index.html'), /(<meta name="log-rpc" content=")[^"]*/, `$1${solanaUrl}`);
  // The Local Wallet's pages and the log's verifier connect to the local chain.
  edit(join(site, 'client/_headers'), /connect-src 'self'/g, `$& ${solanaUrl}`);

  const built = JSON.parse(readFileSync(join(root, 'dist/solcallers/wrangler.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const configPath = join(site, 'worker/wrangler.json');
  const assets = { ...(built['assets'] as object), directory: '../client' };
  writeFileSync(configPath, JSON.stringify({ ...built, vars, assets }, null, 2));
  return configPath;
}

function edit(file: string, search: string | RegExp, replacement: string): void {
  const text = readFileSync(file, 'utf8');
  if (text.search(search) < 0) throw new Error(`${file} does not contain ${search}`);
  writeFileSync(file, text.replace(search, replacement));
}
