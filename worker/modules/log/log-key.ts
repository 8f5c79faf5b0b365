import { ed25519 } from '@noble/curves/ed25519';
import { fromBase64 } from '../../shared/base64.ts';
import { canonicalJson, type Json } from '../../shared/canonical-json.ts';
import { commit, type AppendedEntry } from '../../shared/log-entries.ts';
import { sha256 } from '../../shared/sha256.ts';
import { describeKey, signatureLine } from './signed-note.ts';

export type LogKey = ReturnType<typeof createLogKey>;

/** The log's key. `seed` is 32 bytes in base64. */
export function createLogKey({ name, seed }: { name: string; seed: string }) {
  const secret = fromBase64(seed);
  const key = describeKey(name, ed25519.getPublicKey(secret));
  const signNote = (lines: readonly (string | number)[]): string => {
    const text = lines.map((line) => `${line}\n`).join('');
    return `${text}\n${signatureLine(key, ed25519.sign(new TextEncoder().encode(text), secret))}\n`;
  };
  return {
    name,
    verifierKey: key.verifierKey,

    /** @param root in base64 (https://c2sp.org/tlog-checkpoint) */
    signCheckpoint: ({ size, root }: { size: number; root: string }) => signNote([name, size, root]),

    /**
     * Signs a promise that the log has the entry within two minutes of its time. Returns null while the log is stopped.
     */
    signReceipt({ id, caller_id, content, salt, at, is_stopped }: AppendedEntry): string | null {
      if (is_stopped === 1) return null;
      const canonical = canonicalJson(JSON.parse(content) as Json);
      const hash = salt === null ? sha256(canonical) : commit(salt, canonical);
      const lines = [`entry ${id - 1}`, `caller ${caller_id}`, `content ${hash}`, `time ${at}`];
      return signNote([`${name}/receipt`, ...lines]);
    },
  };
}
