import { crc32 } from 'node:zlib';
import { SHARE_IMAGE_PREFIX } from '#schema/contracts/shares.ts';

/** A PNG's signature (8 bytes) and header chunk (25 bytes). */
const HEADER_BYTES = 33;
const CHUNK_TYPE = 'tEXt';
const KEYWORD = 'Call\0';
const MAX_ID_LENGTH = 64;
/** The length of the part of the base64 text that contains the header and the text chunk. */
const START_LENGTH = 160;

/** Adds the call id to the image as a text chunk, because a request to post contains the image but no call id. */
export function addCallId(png: Uint8Array, callId: string): Uint8Array<ArrayBuffer> {
  const named = new TextEncoder().encode(`${CHUNK_TYPE}${KEYWORD}${callId}`);
  const chunk = new Uint8Array(4 + named.length + 4);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, named.length - CHUNK_TYPE.length);
  chunk.set(named, 4);
  view.setUint32(4 + named.length, crc32(named));
  return new Uint8Array(Buffer.concat([png.subarray(0, HEADER_BYTES), chunk, png.subarray(HEADER_BYTES)]));
}

/** Reads the call id that `addCallId` wrote into a PNG data URL. Doesn't validate the rest of the image. */
export function readCallId(dataUrl: string): string | null {
  try {
    const start = atob(dataUrl.slice(SHARE_IMAGE_PREFIX.length).slice(0, START_LENGTH));
    const name = `${CHUNK_TYPE}${KEYWORD}`;
    const idAt = HEADER_BYTES + 4 + name.length;
    const idLength = start.charCodeAt(HEADER_BYTES + 3) - KEYWORD.length;
    const isNamed = start.startsWith(name, HEADER_BYTES + 4) && idLength > 0 && idLength <= MAX_ID_LENGTH;
    return isNamed ? start.slice(idAt, idAt + idLength) : null;
  } catch {
    return null;
  }
}
