import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildLog, createSigner, sha256, signNote } from './test-support/build-log.ts';
import { planLog } from './test-support/plan.ts';
import { serve, type Site } from './test-support/site.ts';

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** Serves a log over HTTP, and returns its origin. */
async function listen(createSite: (host: string) => Site): Promise<{ origin: string; site: Site }> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const { fetchBytes, fetchPage, fetchText } = site.source;
    const respond = async () => {
      if (path.startsWith('/log/tile/')) return response.end(await fetchBytes(path));
      if (!/^\/api\/callers(\?|$)/.test(path)) return response.end(await fetchText(path));
      const { text, next } = await fetchPage(path);
      if (next !== null) response.setHeader('Link', `<${next}>; rel="next"`);
      response.end(text);
    };
    respond().catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const { port } = server.address() as { port: number };
  const site = createSite(`127.0.0.1:${port}`);
  return { origin: `http://127.0.0.1:${port}`, site };
}

const DAY_MS = 86_400_000;
const plan = planLog(8, 12, Date.now() - 60 * DAY_MS);
const honest = (host: string) => serve(buildLog(plan, createSigner(host, sha256('command'))));
const state = join(mkdtempSync(join(tmpdir(), 'verify-')), 'state.json');

function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['verify/main.ts', '--state', state, ...args]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => resolve({ code, output }));
  });
}

it('the command verifies a caller and the whole log, remembers the key, and exits with 1 if a check fails', async () => {
  const { origin, site } = await listen(honest);
  const first = await run('caller_0', '--origin', origin);
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('first use') as string });
  expect(first.output).toContain('✓ Every entry of the record is in the signed log.');
  const second = await run('--all', '--origin', origin);
  expect(second).toMatchObject({ code: 0, output: expect.not.stringContaining('first use') as string });
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({
    key: site.log.signer.line,
    size: site.size,
  });
  site.change('/api/callers/caller_0', (profile) => ({ ...profile, winRate: 99.5 }));
  const tampered = await run('caller_0', '--origin', origin);
  expect(tampered).toMatchObject({ code: 1, output: expect.stringContaining('✗ Win Rate is') as string });
});

it('the command reads receipts whose line ends an editor has changed', async () => {
  const { origin, site } = await listen(honest);
  const [id] = [...site.log.callers].find(([, { handle }]) => handle === 'caller_0') as [string, unknown];
  const index = site.log.entries.findIndex(({ kind, caller }) => kind === 'sealed' && caller === id);
  const content = String(site.log.entries[index]?.['commitment']);
  const lines = `/receipt\nentry ${index}\ncaller ${id}\ncontent ${content}\ntime ${plan.now}\n`;
  const note = signNote(site.log.signer.name + lines, site.log.signer);
  const file = join(mkdtempSync(join(tmpdir(), 'receipt-')), 'receipt.txt');
  for (const text of [note.trimEnd(), note.replaceAll('\n', '\r\n')]) {
    writeFileSync(file, text);
    const fresh = `${file}.${text.length}.json`;
    const { code, output } = await run('@caller_0', '--state', fresh, '--origin', origin, '--receipt', file);
    expect(output).toContain('✓ The receipt was kept.');
    expect(code).toBe(0);
  }
});

it.each([
  [[], 'Name one caller, such as amara_calls, or use --all.'],
  [['caller_0', '--all'], 'Name one caller, such as amara_calls, or use --all.'],
  [['--unknown'], "Unknown option '--unknown'"],
  [
    ['caller_0', '--origin', 'nonsense'],
    '--origin must be a site, such as https://example.com, not nonsense.',
  ],
  [['caller_0', '--receipt', 'missing.txt'], "The receipt missing.txt can't be read."],
])('the command refuses the arguments %j with one sentence: %s', async (args, sentence) => {
  const { code, output } = await run(...args);
  expect({ code, lines: output.trim().split('\n') }).toEqual({
    code: 1,
    lines: [expect.stringContaining(sentence)],
  });
});

it('the command exits with 2 if figures were not compared, and reports an invalid key', async () => {
  const { origin, site } = await listen(honest);
  site.change('/api/callers/caller_0', (profile) => ({
    ...profile,
    winRate: 99.5,
    lastCallTimestamp: new Date().toISOString(),
  }));
  const fresh = `${state}.fresh`;
  const postponed = await run('caller_0', '--state', fresh, '--origin', origin);
  expect(postponed).toMatchObject({
    code: 2,
    output: expect.stringContaining('Not verified: figures') as string,
  });
  const bad = await run('caller_0', '--origin', origin, '--key', 'nonsense');
  expect(bad.output).toContain("This isn't an Ed25519 verifier key of type 1: nonsense");
  expect(bad.output).toMatch(/^1 check failed\.$/m);
});

it('the command exits with 1 if the site cannot be reached or has no such caller', async () => {
  const { origin } = await listen(honest);
  const unknown = await run('nobody', '--origin', origin);
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('answered 404') as string });
  const away = await run('--all', '--origin', 'http://127.0.0.1:9');
  expect(away).toMatchObject({ code: 1, output: expect.stringContaining("can't be reached") as string });
});
