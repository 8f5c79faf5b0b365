import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Witness } from './witness.ts';

/** A request has at most 63 hashes and a checkpoint. */
const MAX_REQUEST_BYTES = 64 * 1024;
const TEXT = 'text/plain; charset=utf-8';

/** The submission prefix and the monitoring prefix of a witness are the same. */
export function createWitnessRoutes(witness: Witness): Hono {
  return new Hono()
    .post('/add-checkpoint', bodyLimit({ maxSize: MAX_REQUEST_BYTES }), async (c) => {
      const { status, body, contentType = TEXT } = witness.addCheckpoint(await c.req.text());
      return c.body(body, status, { 'Content-Type': contentType });
    })
    .get('/:originHash/checkpoint', (c) => {
      const checkpoint = witness.checkpoint(c.req.param('originHash'));
      return checkpoint === undefined
        ? c.body('No checkpoint of this log was signed.\n', 404, { 'Content-Type': TEXT })
        : c.body(checkpoint, 200, { 'Content-Type': TEXT });
    });
}
