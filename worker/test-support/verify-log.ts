import { expect } from 'vitest';
import { createCallRpc } from '#verify/rpc.ts';
import { verify, type Target, type Verdict } from '#verify/verify.ts';
import { testEnv, type TestApp } from './test-app.ts';

/** Verifies a target as the command of docs/SEALED-CALLS.md does on its first visit. */
export async function verifyTarget(app: TestApp, target: Target): Promise<Verdict> {
  const stored = new Map<string, Uint8Array>();
  return verify({
    target,
    get: (path) => app.request(path),
    store: {
      read: async (name) => stored.get(name) ?? null,
      write: async (name, bytes) => void stored.set(name, bytes),
    },
    callRpc: createCallRpc(testEnv.SOLANA_RPC_URL),
    known: {},
    witnesses: [],
    now: app.clock.now(),
    onProgress: () => undefined,
    isNewKeyTrusted: false,
  });
}

export async function expectVerified(app: TestApp, targets: readonly Target[]): Promise<void> {
  for (const target of targets) {
    const { outcome, failures } = await verifyTarget(app, target);
    expect({ target, outcome, failures }).toEqual({ target, outcome: 'verified', failures: [] });
  }
}
