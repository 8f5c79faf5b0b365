import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badRequest } from '../bot-error.ts';

const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
const MAX_SIDES = 10_000;
const MAX_RATIO = 20;
const PNG_START = '\x89PNG\r\n\x1a\n';

export type Photos = ReturnType<typeof createPhotos>;

/** Photos that the bot sent, as files. The id of a photo contains its size. */
export function createPhotos(folder: string) {
  function store(bytes: Uint8Array): string {
    const { width, height } = readSize(bytes);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 24);
    const id = `${hash}_${width}x${height}_${bytes.length}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, id), bytes);
    return id;
  }

  function read(id: string): Buffer<ArrayBuffer> | undefined {
    if (!/^[0-9a-f]{24}_\d+x\d+_\d+$/.test(id)) return undefined;
    try {
      return readFileSync(join(folder, id));
    } catch {
      return undefined;
    }
  }

  return {
    read,
    /** Takes an uploaded file. @throws BotError */
    async take(parameter: unknown): Promise<string> {
      if (!(parameter instanceof File)) throw badRequest('there is no photo in the request');
      if (parameter.size > MAX_UPLOAD_BYTES) throw badRequest('file is too big');
      return store(await parameter.bytes());
    },
  };
}

/** Reads the header of a PNG. The stand-in accepts no other format. */
function readSize(bytes: Uint8Array): { width: number; height: number } {
  const start = Buffer.from(bytes.subarray(0, 24));
  if (start.length < 24 || !start.toString('latin1').startsWith(PNG_START)) {
    throw badRequest('IMAGE_PROCESS_FAILED');
  }
  const [width, height] = [start.readUInt32BE(16), start.readUInt32BE(20)];
  const ratio = Math.max(width, height) / Math.max(1, Math.min(width, height));
  if (width + height > MAX_SIDES || ratio > MAX_RATIO) throw badRequest('PHOTO_INVALID_DIMENSIONS');
  return { width, height };
}
