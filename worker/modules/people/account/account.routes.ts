import { Hono } from 'hono';
import { deletionSchema } from '#schema/contracts/account.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route } from '../../../app/route.ts';
import { clearSessionCookie } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';
import { streamTexts } from '../../../shared/stream-texts.ts';

/** `deletesAt`: the time of a later deletion. Null if the account is deleted now. */
const DELETION_RESPONSE = {
  type: 'object',
  properties: { deletesAt: { type: ['string', 'null'] } },
} as const;

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
      summary: 'Delete the account, of a caller with paid subscribers later',
      response: DELETION_RESPONSE,
      errors: ['account.handle_mismatch', 'account.open_calls', 'auth.fresh_sign_in_needed'],
    }),
    validate('json', deletionSchema),
    async (c) => {
      const { userId, signedInAt, services } = c.var;
      const deletesAt = await services.accountDeletion.delete({ userId, signedInAt, ...c.req.valid('json') });
      if (deletesAt === null) clearSessionCookie(c, services);
      return c.json({ deletesAt: deletesAt === null ? null : new Date(deletesAt).toISOString() });
    },
  )
  .delete(
    '/user/deletion',
    route({
      limit: 'writes',
      session: 'required',
      tag: 'Account',
      summary: 'Take back the request to delete the account',
      response: 'CurrentUser',
      errors: ['account.deletion_due'],
    }),
    async (c) => {
      const { userId, services } = c.var;
      await services.accountDeletion.takeBack(userId);
      return c.json(await services.users.current(userId));
    },
  );
