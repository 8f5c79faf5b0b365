import { SHARE_IMAGE, SHARE_IMAGE_MAX_BYTES } from '#schema/constants.ts';

const PREFIX = 'data:image/png;base64,';
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const IHDR = 'IHDR';
const IHDR_LENGTH = 13;
/** Signature, the chunk's length and name, its 13 bytes and their checksum. */
const HEADER_LENGTH = 33;

/**
 * The base64 of a share image: a PNG data URL whose header says 1200×675, of at most 5 MB. `null` for
 * anything else.
 */
export function readShareImage(dataUrl: string): string | null {
  if (!dataUrl.startsWith(PREFIX)) return null;
  const base64 = dataUrl.slice(PREFIX.length);
  const bytes = decodeBase64(base64);
  if (bytes === null || bytes.length < HEADER_LENGTH || bytes.length > SHARE_IMAGE_MAX_BYTES) return null;
  const view = new DataView(bytes.buffer);
  const isPng = SIGNATURE.every((byte, index) => bytes[index] === byte);
  const hasHeader = view.getUint32(8) === IHDR_LENGTH && [...IHDR].every((letter, index) => bytes[12 + index] === letter.charCodeAt(0));
  const isShareSize = view.getUint32(16) === SHARE_IMAGE.width && view.getUint32(20) === SHARE_IMAGE.height;
  return isPng && hasHeader && isShareSize ? base64 : null;
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  // `atob` forgives spaces and missing padding; X need not.
  if (base64.length % 4 !== 0 || /\s/.test(base64)) return null;
  try {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
    return bytes;
  } catch {
    return null;
  }
}
