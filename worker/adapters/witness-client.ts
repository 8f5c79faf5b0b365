import { readAtMost } from './download.ts';
import { fetchInTime } from './fetch-json.ts';

/** Enough for the cosignatures of a few keys. */
const MAX_BYTES = 32 * 1024;

export type WitnessClient = typeof witnessClient;

/** Speaks to witnesses of the log (https://c2sp.org/tlog-witness). */
export const witnessClient = {
  /**
   * @param url the witness's submission prefix. @throws if it doesn't respond in time, or if the response is too large
   */
  async addCheckpoint(url: string, request: string) {
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
