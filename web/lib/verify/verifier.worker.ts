import { createStore, get, set } from 'idb-keyval';
import { fetchPatiently } from '#verify/patient-fetch.ts';
import { createCallRpc } from '#verify/rpc.ts';
import { verify, type Progress, type Target, type Verdict } from '#verify/verify.ts';

export interface Check {
  readonly target: Target;
  /** Null: nothing is confirmed. */
  readonly rpcUrl: string | null;
  readonly isNewKeyTrusted: boolean;
}

export type CheckState =
  | { readonly kind: 'running'; readonly progress: Progress | null }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | { readonly kind: 'problem'; readonly text: string };

const show = (state: CheckState) => postMessage(state);

/** Fetches what every visitor sees. A cached response other than a tile could lack the newest entries. */
const fetchPath = (path: string) =>
  fetchPatiently(path, { cache: path.startsWith('/log/tile/') ? 'default' : 'no-cache' });

async function run({ rpcUrl, ...check }: Check): Promise<void> {
  const files = createStore('log', 'files');
  let isSaved = true;
  // Some browsers throw, others reject, if storage is blocked.
  const use = async <Value>(access: () => Promise<Value>) => {
    try {
      return await access();
    } catch {
      isSaved = false;
      return undefined;
    }
  };
  const verdict = await verify({
    ...check,
    get: fetchPath,
    store: {
      read: async (name) => (await use(() => get<Uint8Array>(name, files))) ?? null,
      write: (name, bytes) => use(() => set(name, bytes, files)),
    },
    callRpc: rpcUrl === null ? null : createCallRpc(rpcUrl),
    known: {},
    witnesses: [],
    now: Date.now(),
    onProgress: (progress) => show({ kind: 'running', progress }),
  });
  const notes = isSaved ? [] : ['This browser saved nothing, so the next check has nothing to compare with.'];
  show({ kind: 'verdict', verdict: { ...verdict, notes: [...verdict.notes, ...notes] } });
}

function showError(error: unknown): void {
  console.warn(error);
  const isTooOld = error instanceof DOMException && error.name === 'NotSupportedError';
  const ours = 'The check failed because of an error of ours. It says nothing about the record.';
  const old = 'This browser is too old for the check. Update it or use another one.';
  show({ kind: 'problem', text: isTooOld ? old : ours });
}

addEventListener('message', ({ data }: MessageEvent<Check>) => void run(data).catch(showError), {
  once: true,
});
