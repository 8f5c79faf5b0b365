import { Hono } from 'hono';
import { deletionSchema, exportSchema } from '#schema/contracts/account.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { clearSessionCookies } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Account');

/** `deletesAt`: the time of a later deletion. Null if the account is deleted now. */
const DELETION_RESPONSE = {
  type: 'object',
  properties: { deletesAt: { type: ['string', 'null'] } },
} as const;

export const accountRoutes = new Hono<AppEnv>()
  .get(
    '/user/export',
    read({
      summary: 'Everything stored about the user, part by part',
      response: { type: 'object' },
      errors: ['account.too_many_exports'],
    }),
    validate('query', exportSchema),
    async (c) => {
      const { section, cursor } = c.req.valid('query');
      const { userId, services } = c.var;
      return c.json(await services.dataExport.read({ userId, section, cursor }));
    },
  )
  .post(
    '/user/deletion',
    write({
      summary: 'Delete the account, of a caller with paid subscribers later',
      response: DELETION_RESPONSE,
      errors: ['account.handle_mismatch', 'account.open_calls', 'auth.fresh_sign_in_needed'],
    }),
    validate('json', deletionSchema),
    async (c) => {
      const { userId, signedInAt, services } = c.var;
      const deletesAt = await services.accountDeletion.delete({ userId, signedInAt, ...c.req.valid('json') });
      if (deletesAt === null) clearSessionCookies(c, services);
      return c.json({ deletesAt: deletesAt === null ? null : new Date(deletesAt).toISOString() });
    },
  )
  .delete(
    '/user/deletion',
    write({
      summary: 'Take back the request to delete the account',
      response: 'CurrentUser',
      errors: ['account.deletion_due'],
    }),
    async (c) => {
      const { userId, services } = c.var;
      await services.accountDeletion.takeBack({ userId });
      return c.json(await services.users.current(userId));
    },
  );
