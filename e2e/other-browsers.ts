import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

/**
 * A browser that Playwright can't start. `evaluate` returns an expression's value, which must be
 * JSON-serialisable.
 */
export interface OtherBrowser {
  open(url: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Debian's package for each program. On other systems, Firefox's program is `firefox`. */
const PACKAGES = [
  { name: 'firefox-esr', programs: ['firefox-esr', 'firefox'] },
  { name: 'webkit2gtk-driver', programs: ['WebKitWebDriver'] },
  { name: 'xvfb', programs: ['Xvfb'] },
] as const;

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @throws Error that names the missing packages */
export function requirePackages(): void {
  const missing = PACKAGES.filter(({ programs }) => !findProgram(programs)).map(({ name }) => name);
  if (missing.length === 0) return;
  throw new Error(`Firefox and WebKit need Debian packages: apt-get install -y ${missing.join(' ')}`);
}

/** Starts Firefox without a window and drives it by WebDriver BiDi, which needs no driver program. */
export async function startFirefox(): Promise<OtherBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'solcallers-firefox-'));
  await writeFile(join(profile, 'user.js'), 'user_pref("remote.prefs.recommended", true);\n');
  const child = spawn(
    findProgram(['firefox-esr', 'firefox']) ?? '',
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } },
  );
  const stop = async () => {
    await endOf(child);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const [, address = ''] = await waitForText(child.stderr, /WebDriver BiDi listening on (ws:\S+)/);
    const { send, disconnect } = await connectBiDi(`${address}/session`);
    const tree = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
    const context = tree.contexts[0]?.context;
    return {
      open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
      async evaluate(expression) {
        const response = await send<EvaluateResult>('script.evaluate', {
          expression: `JSON.stringify(${expression})`,
          target: { context },
          awaitPromise: false,
        });
        if (response.exceptionDetails) throw new Error(`${expression}: ${response.exceptionDetails.text}`);
        return JSON.parse(response.result?.value ?? 'null') as unknown;
      },
      async close() {
        disconnect();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface EvaluateResult {
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

async function connectBiDi(url: string) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const waiting = new Map<number, (response: Record<string, unknown>) => void>();
  socket.on('message', (data) => {
    const response = JSON.parse((data as Buffer).toString()) as Record<string, unknown>;
    waiting.get(Number(response['id']))?.(response);
    waiting.delete(Number(response['id']));
  });
  let lastId = 0;
  const send = async <Result>(method: string, params: object): Promise<Result> => {
    const id = (lastId += 1);
    const responded = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const response = await responded;
    if (response['type'] === 'error') throw new Error(`${method}: ${String(response['message'])}`);
    return response['result'] as Result;
  };
  await send('session.new', { capabilities: {} });
  return { send, disconnect: () => socket.close() };
}

/** Starts WebKitGTK's MiniBrowser in a virtual display and drives it by WebDriver. */
export async function startWebKit({ port }: { readonly port: number }): Promise<OtherBrowser> {
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await waitForText(display.stdout, /^\d+$/);
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${number}`, GDK_BACKEND: 'x11' },
  });
  const stop = async () => {
    await endOf(driver);
    await endOf(display);
  };
  try {
    const base = `http://127.0.0.1:${port}`;
    await waitForDriver(`${base}/status`);
    const started = await webDriver<{ sessionId: string }>(`${base}/session`, { capabilities: {} });
    const session = `${base}/session/${started.sessionId}`;
    return {
      open: async (url) => void (await webDriver(`${session}/url`, { url })),
      evaluate: (expression) =>
        webDriver(`${session}/execute/sync`, { script: `return ${expression};`, args: [] }),
      async close() {
        await fetch(session, { method: 'DELETE' });
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function webDriver<Value>(url: string, body?: object): Promise<Value> {
  const response = await fetch(url, body ? { method: 'POST', body: JSON.stringify(body) } : {});
  const { value } = (await response.json()) as { value: Value };
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(value)}`);
  return value;
}

/** WebKitWebDriver prints nothing when it's ready. */
async function waitForDriver(statusUrl: string): Promise<void> {
  const isReady = () =>
    fetch(statusUrl)
      .then(({ ok }) => ok)
      .catch(() => false);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await isReady()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('WebKitWebDriver did not start within 20 seconds.');
}

/** Waits for a matching line. Keeps reading afterwards, because a full pipe would block the program. */
async function waitForText(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stream });
    lines.on('line', (line) => {
      const match = pattern.exec(line);
      if (match) resolve(match);
    });
    lines.on('close', () => reject(new Error(`The program ended before it printed ${pattern.source}.`)));
  });
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
