import { Hono } from 'hono';
import {
  confirmTransactionSchema,
  openIntentSchema,
  sendTransactionSchema,
} from '#schema/contracts/payments.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../../app/context.ts';
import { linkNextPage } from '../../../app/pages.ts';
import { requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';
import { streamTexts } from '../../../shared/stream-texts.ts';

export const paymentsRoutes = new Hono<AppEnv>()
  .post('/solana/get-latest-blockhash', requireUser, validate('json', openIntentSchema), async (c) =>
    c.json(await c.var.services.payments.openIntent(c.var.userId, c.req.valid('json')), 201),
  )
  .post('/solana/send-transaction', requireUser, validate('json', sendTransactionSchema), async (c) =>
    c.json(await c.var.services.payments.send(c.var.userId, c.req.valid('json'))),
  )
  .post('/solana/confirm-transaction', requireUser, validate('json', confirmTransactionSchema), async (c) =>
    c.json(await c.var.services.payments.confirm(c.var.userId, c.req.valid('json'))),
  )
  .get('/payments', requireUser, validate('query', pageQuerySchema), async (c) => {
    const { rows, nextCursor } = await c.var.services.receipts.listPaid(c.var.userId, c.req.valid('query'));
    linkNextPage(c, nextCursor);
    return c.json(rows);
  })
  .get('/payments/earnings', requireUser, validate('query', pageQuerySchema), async (c) => {
    const { rows, nextCursor } = await c.var.services.receipts.listEarned(c.var.userId, c.req.valid('query'));
    linkNextPage(c, nextCursor);
    return c.json(rows);
  })
  .get('/payments/earnings.csv', requireUser, async (c) => {
    const { name, texts } = await c.var.services.receipts.exportEarned(c.var.userId);
    return c.body(streamTexts(texts), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  })
  .get('/payments/:signature', requireUser, async (c) =>
    c.json(await c.var.services.receipts.find({ userId: c.var.userId, signature: c.req.param('signature') })),
  );
