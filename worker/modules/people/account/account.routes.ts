import { Hono } from 'hono';
import { deletionSchema } from '#schema/contracts/account.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route } from '../../../app/route.ts';
import { clearSessionCookie } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';
import { streamTexts } from '../../../shared/stream-texts.ts';

export const accountRoutes = new Hono<AppEnv>()
  .get(
    '/user/export',
    route({
      limit: 'costly',
      session: 'required',
      tag: 'Account',
      summary: 'Download everything stored about the user',
      response: { type: 'object' },
      errors: ['account.too_many_exports'],
    }),
    async (c) => {
      const { name, texts } = await c.var.services.dataExport.export(c.var.userId);
      return c.body(streamTexts(texts), 200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}"`,
      });
    },
  )
  .post(
    '/user/deletion',
    route({
      limit: 'writes',
      session: 'required',
      tag: 'Account',
      summary: 'Delete the account',
      response: { type: 'object', properties: { deleted: { type: 'boolean' } } },
      errors: ['account.handle_mismatch', 'account.open_calls', 'auth.fresh_sign_in_needed'],
    }),
    validate('json', deletionSchema),
    async (c) => {
      const { userId, signedInAt, services } = c.var;
      await services.accountDeletion.delete({ userId, signedInAt, ...c.req.valid('json') });
      clearSessionCookie(c, services);
      return c.json({ deleted: true });
    },
  );
