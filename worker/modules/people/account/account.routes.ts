import { Hono } from 'hono';
import { deletionSchema } from '#schema/contracts/account.ts';
import type { AppEnv } from '../../../app/context.ts';
import { clearSessionCookie, requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';
import { streamTexts } from '../../../shared/stream-texts.ts';

export const accountRoutes = new Hono<AppEnv>()
  .get('/user/export', requireUser, async (c) => {
    const { name, texts } = await c.var.services.dataExport.export(c.var.userId);
    return c.body(streamTexts(texts), 200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  })
  .post('/user/deletion', requireUser, validate('json', deletionSchema), async (c) => {
    const { userId, signedInAt, services } = c.var;
    await services.accountDeletion.delete({ userId, signedInAt, ...c.req.valid('json') });
    clearSessionCookie(c, services);
    return c.json({ deleted: true });
  });
