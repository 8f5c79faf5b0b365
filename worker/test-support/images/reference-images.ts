import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import type { TestProject } from 'vitest/node';
import { SHARE_IMAGE } from '#schema/constants/public.ts';
import { encodeChunks, encodeHeader, PALETTE, RGBA } from './png.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const KEPT = here('../../modules/public/shares/reference');
/** Folder for drawings that differ from their reference. */
const DRAWN = here('../../../.cache/share-images');

/**
 * Serves the reference images to tests inside workerd, which has no files. GET returns an image or the list, PUT stores
 * a drawing. With UPDATE_REFERENCES=1 a drawing becomes the reference. Otherwise it is stored for inspection.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const isUpdate = process.env['UPDATE_REFERENCES'] === '1';
  if (isUpdate) await rm(KEPT, { recursive: true, force: true });
  await Promise.all([mkdir(KEPT, { recursive: true }), rm(DRAWN, { recursive: true, force: true })]);

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const name = basename(request.url ?? '');
    if (request.method === 'PUT') {
      const folder = isUpdate ? KEPT : DRAWN;
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), pack(await bodyOf(request)));
      response.end();
    } else if (name === '') {
      response.end(JSON.stringify((await readdir(KEPT)).toSorted()));
    } else {
      response.end(await readFile(join(KEPT, name)));
    }
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('references', {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isUpdate,
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}

/** Compresses a card's pixels better than the rasteriser does, because the references are in git. */
function pack(pixels: Uint8Array<ArrayBuffer>): Uint8Array {
  const view = new DataView(pixels.buffer);
  const colours = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 4) {
    if (!colours.has(view.getUint32(at))) colours.set(view.getUint32(at), colours.size);
  }
  const indices =
    colours.size > 256
      ? null
      : Uint8Array.from({ length: pixels.length / 4 }, (_, at) => colours.get(view.getUint32(4 * at)) ?? 0);
  const palette = [...colours.keys()].flatMap((colour) => [
    colour >>> 24,
    (colour >>> 16) & 0xff,
    (colour >>> 8) & 0xff,
  ]);
  return encodeChunks([
    ['IHDR', encodeHeader({ ...SHARE_IMAGE, colour: indices === null ? RGBA : PALETTE })],
    ...(indices === null ? [] : [['PLTE', Uint8Array.from(palette)] as const]),
    ['IDAT', deflateSync(unfilteredRows(indices ?? pixels), { level: 9, memLevel: 9 })],
    ['IEND', new Uint8Array()],
  ]);
}

function unfilteredRows(data: Uint8Array): Buffer {
  const { height } = SHARE_IMAGE;
  const stride = data.length / height;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1) {
    rows.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  return rows;
}

declare module 'vitest' {
  interface ProvidedContext {
    references: { readonly url: string; readonly isUpdate: boolean };
  }
}
