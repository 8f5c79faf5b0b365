import { ed25519 } from '@noble/curves/ed25519';
import { fromBase64, toBase64 } from '../../shared/base64.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { LOG_VERSION } from './log-entries.ts';
import { describeKey, signatureLine } from './signed-note.ts';

export type LogKey = ReturnType<typeof createLogKey>;

export function createLogKey({ name, seed }: { name: string; seed: string }) {
  const secret = fromBase64(seed);
  // Deriving the key takes milliseconds, which would delay the worker's start.
  let described: ReturnType<typeof describeKey> | undefined;
  const describe = () => (described ??= describeKey(name, ed25519.getPublicKey(secret)));
  const sign = (text: string) => ed25519.sign(new TextEncoder().encode(text), secret);
  return {
    name,
    verifierKey: (): string => describe().verifierKey,
    sign: (text: string): string => toBase64(sign(text)),

    /** @param root in base64 (https://c2sp.org/tlog-checkpoint) */
    signCheckpoint({ size, root }: { size: number; root: string }): string {
      const text = `${name}\n${size}\n${root}\n`;
      return `${text}\n${signatureLine(describe(), sign(text))}\n`;
    },
  };
}

export interface LogKeys {
  readonly key: string;
  readonly wallet: string;
}

interface NewKeys extends LogKeys {
  readonly time: number;
  readonly before: LogKeys | null;
  readonly signers: readonly Pick<LogKey, 'verifierKey' | 'sign'>[];
}

/** Writes the content of a `keys` entry, signed with the key before. Not signed if that key is lost. */
export function keysContent({ key, wallet, time, before, signers }: NewKeys): string {
  const content = { v: LOG_VERSION, kind: 'keys', key, wallet, time };
  const signer = signers.find(({ verifierKey }) => verifierKey() === before?.key);
  return canonicalJson({ ...content, signature: signer?.sign(canonicalJson(content)) ?? null });
}
