import type { WitnessPort } from '../ports/witness.ts';
import { readAtMost } from './download.ts';
import { fetchInTime } from './fetch-json.ts';

/** Enough for the cosignatures of a few keys. */
const MAX_BYTES = 32 * 1024;

export const witnessClient: WitnessPort = {
  async addCheckpoint(url, request) {
    const response = await fetchInTime(`${url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      body: request,
      redirect: 'manual',
    });
    const body = await readAtMost(response, MAX_BYTES);
    if (body === null) {
      throw new Error(
        `${new URL(url).host} responded ${response.status} without a body, or with one over ${MAX_BYTES} bytes`,
      );
    }
    return {
      status: response.status,
      contentType: response.headers.get('Content-Type'),
      body: new TextDecoder().decode(body),
    };
  },
};
