import { Hono } from 'hono';
import { reportSchema } from '#schema/contracts/reports.ts';
import type { AppEnv } from '../../../app/context.ts';
import { requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

export const reportsRoutes = new Hono<AppEnv>().post(
  '/reports',
  requireUser,
  validate('json', reportSchema),
  async (c) => c.json(await c.var.services.reports.report(c.var.userId, c.req.valid('json')), 201),
);
