import { Hono } from 'hono';
import { reportSchema } from '#schema/contracts/reports.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

export const reportsRoutes = new Hono<AppEnv>().post(
  '/reports',
  signedInRoutes('Account').write({
    summary: 'Report a caller, a call or an update',
    status: 201,
    response: 'ReportResponse',
    errors: ['reports.not_found', 'reports.own', 'reports.too_many'],
  }),
  validate('json', reportSchema),
  async (c) => c.json(await c.var.services.reports.report(c.var.userId, c.req.valid('json')), 201),
);
