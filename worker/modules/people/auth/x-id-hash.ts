import { createHmac } from 'node:crypto';
import { fromBase64 } from '../../../shared/base64.ts';

/**
 * Returns a function that hashes X ids with a key (32 bytes in base64). X ids are short numbers, so without the key
 * anybody could find the id of a hash by trying.
 */
export const createXIdHash = (key: string) => (xUserId: string) =>
  createHmac('sha256', fromBase64(key)).update(xUserId).digest('base64');
