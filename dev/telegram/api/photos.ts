import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopbackUrl } from '../../controls/same-origin.ts';
import { badRequest } from '../bot-error.ts';

const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
const MAX_DOWNLOAD_BYTES = 5 * 1024 * 1024;
const MAX_SIDES = 10_000;
const MAX_RATIO = 20;
const PNG_START = '\x89PNG\r\n\x1a\n';
const DOWNLOAD_TIMEOUT_MS = 10_000;

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
    /** Takes an uploaded file, a URL or the id of an earlier photo. @throws BotError */
    async take(parameter: unknown): Promise<string> {
      if (parameter instanceof File) {
        if (parameter.size > MAX_UPLOAD_BYTES) throw badRequest('file is too big');
        return store(await parameter.bytes());
      }
      if (typeof parameter !== 'string' || parameter === '') {
        throw badRequest('there is no photo in the request');
      }
      if (/^https?:/.test(parameter)) return store(await download(parameter));
      if (read(parameter) !== undefined) return parameter;
      throw badRequest('wrong remote file identifier specified: Wrong padding in the string');
    },
  };
}

/** Only from this machine, where the local product runs. */
async function download(address: string): Promise<Uint8Array> {
  const url = URL.parse(address);
  if (url === null) throw badRequest('wrong HTTP URL specified');
  if (!isLoopbackUrl(url)) throw badRequest('failed to get HTTP URL content');
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) }).catch(
    () => undefined,
  );
  if (response?.ok !== true) throw badRequest('failed to get HTTP URL content');
  if (response.headers.get('content-type')?.startsWith('image/') !== true) {
    throw badRequest('wrong type of the web page content');
  }
  const bytes = await response.bytes();
  if (bytes.length > MAX_DOWNLOAD_BYTES) throw badRequest('failed to get HTTP URL content');
  return bytes;
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
