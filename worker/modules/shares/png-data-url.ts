import { SHARE_IMAGE, SHARE_IMAGE_MAX_BYTES } from '#schema/constants.ts';
import { findPngProblem, type PngProblem } from './png-file.ts';

const PREFIX = 'data:image/png;base64,';

export type ShareImageProblem = PngProblem | 'not_png_data' | 'too_large';

/** The base64 of a share image, a PNG data URL that holds one whole, sound picture of 1200×675 in at most 5 MB; or what is wrong with it. */
export function readShareImage(dataUrl: string): { base64: string } | { problem: ShareImageProblem } {
  if (!dataUrl.startsWith(PREFIX)) return { problem: 'not_png_data' };
  const base64 = dataUrl.slice(PREFIX.length);
  const bytes = decodeBase64(base64);
  if (bytes === null) return { problem: 'not_png_data' };
  if (bytes.length > SHARE_IMAGE_MAX_BYTES) return { problem: 'too_large' };
  const problem = findPngProblem(bytes, SHARE_IMAGE);
  return problem === null ? { base64 } : { problem };
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  // `atob` forgives spaces and missing padding; X need not.
  if (base64.length % 4 !== 0 || /\s/.test(base64)) return null;
  try {
    const text = atob(base64);
    const rest = text.length % 3;
    // It forgives bits that belong to no byte, too.
    if (rest !== 0 && btoa(text.slice(-rest)) !== base64.slice(-4)) return null;
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
    return bytes;
  } catch {
    return null;
  }
}
