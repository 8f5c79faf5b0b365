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

interface OpenUpload {
  ownerId: string;
  type: string;
  totalBytes: number;
  segments: Map<number, Uint8Array>;
}

export interface Media {
  /** Stores a complete picture. Returns undefined if X wouldn't accept it. */
  store(upload: { ownerId: string; bytes: Uint8Array }): Medium | undefined;
  begin(upload: { ownerId: string; type: string; totalBytes: number }): string;
  append(part: { id: string; ownerId: string; index: number; bytes: Uint8Array }): boolean;
  finish(upload: { id: string; ownerId: string }): Medium | undefined;
  findUsable(wanted: { id: string; ownerId: string }): Medium | undefined;
  read(id: string): { type: string; bytes: Uint8Array } | undefined;
}

const FIRST_MEDIA_ID = 1_950_000_000_000_000_000n;

export function openMedia({ folder, now }: { folder: string; now: () => number }): Media {
  const usable = new Map<string, Medium>();
  const uploads = new Map<string, OpenUpload>();
  let lastId = FIRST_MEDIA_ID + BigInt(now()) * 1000n;
  const nextId = (): string => String((lastId += 1n));

  function keep({
    id,
    ownerId,
    bytes,
  }: {
    id: string;
    ownerId: string;
    bytes: Uint8Array;
  }): Medium | undefined {
    const type = imageTypeOf(bytes);
    if (type === undefined) return undefined;
    const medium: Medium = { id, ownerId, type, bytes, expiresAt: now() + MEDIA_LIFETIME_SECONDS * 1000 };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, id), bytes);
    usable.set(id, medium);
    return medium;
  }

  function findOwn({ id, ownerId }: { id: string; ownerId: string }): OpenUpload | undefined {
    const upload = uploads.get(id);
    return upload?.ownerId === ownerId ? upload : undefined;
  }

  return {
    store: ({ ownerId, bytes }) => keep({ id: nextId(), ownerId, bytes }),
    begin({ ownerId, type, totalBytes }) {
      const id = nextId();
      uploads.set(id, { ownerId, type, totalBytes, segments: new Map() });
      return id;
    },
    append({ id, ownerId, index, bytes }) {
      const upload = findOwn({ id, ownerId });
      upload?.segments.set(index, bytes);
      return upload !== undefined;
    },
    finish({ id, ownerId }) {
      const upload = findOwn({ id, ownerId });
      if (upload === undefined) return undefined;
      const parts = [...upload.segments].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
      const bytes = new Uint8Array(Buffer.concat(parts));
      uploads.delete(id);
      return bytes.length === upload.totalBytes ? keep({ id, ownerId, bytes }) : undefined;
    },
    findUsable({ id, ownerId }) {
      const medium = usable.get(id);
      return medium !== undefined && medium.ownerId === ownerId && medium.expiresAt > now()
        ? medium
        : undefined;
    },
    read(id) {
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
