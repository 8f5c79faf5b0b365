import { Hono } from 'hono';
import { pageViewSchema } from '#schema/contracts/events.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route } from '../../../app/route.ts';
import { exactly } from '../../../app/route-facts.ts';
import { validate } from '../../../app/validate.ts';

/** Counts page views by path and by Cloudflare's country. Stores no user data. */
export const pageViewsRoutes = new Hono<AppEnv>().post(
  '/events/page-view',
  route({
    limit: 'reads',
    tag: 'Service',
    summary: 'Count a page view',
    status: 202,
    response: exactly({ counted: true }),
  }),
  validate('json', pageViewSchema),
  (c) => {
    const country = c.req.raw.cf?.country;
    c.env.PAGE_VIEWS.writeDataPoint({
      indexes: ['page-view'],
      blobs: [c.req.valid('json').path, typeof country === 'string' ? country : ''],
    });
    return c.json({ counted: true }, 202);
  },
);
