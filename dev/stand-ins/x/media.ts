import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
export const MEDIA_LIFETIME_SECONDS = 86_400;

export interface Medium {
  id: string;
  ownerId: string;
  type: string;
  bytes: Uint8Array;
  expiresAt: number;
}

const FIRST_MEDIA_ID = 1_950_000_000_000_000_000n;

export type Media = ReturnType<typeof openMedia>;

export function openMedia({ folder, now }: { folder: string; now: () => number }) {
  const usable = new Map<string, Medium>();
  let lastId = FIRST_MEDIA_ID + BigInt(now()) * 1000n;

  return {
    /** Stores a complete image. Returns undefined if X wouldn't accept it. */
    store({ ownerId, bytes }: { ownerId: string; bytes: Uint8Array }) {
      const type = imageTypeOf(bytes);
      if (type === undefined) return undefined;
      const id = String((lastId += 1n));
      const medium: Medium = { id, ownerId, type, bytes, expiresAt: now() + MEDIA_LIFETIME_SECONDS * 1000 };
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, id), bytes);
      usable.set(id, medium);
      return medium;
    },
    findUsable({ id, ownerId }: { id: string; ownerId: string }) {
      const medium = usable.get(id);
      return medium !== undefined && medium.ownerId === ownerId && medium.expiresAt > now()
        ? medium
        : undefined;
    },
    read(id: string) {
      if (!/^\d+$/.test(id)) return undefined;
      try {
        const bytes = new Uint8Array(readFileSync(join(folder, id)));
        return { type: imageTypeOf(bytes) ?? 'application/octet-stream', bytes };
      } catch {
        return undefined;
      }
    },
  };
}

function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}
