import { Hono } from 'hono';
import {
  confirmTransactionSchema,
  openIntentSchema,
  sendTransactionSchema,
} from '#schema/contracts/payments.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../app/context.ts';
import { streamTexts } from './csv.ts';
import { linkNextPage } from '../../app/pages.ts';
import { requireUser } from '../../app/session.ts';
import { validate } from '../../app/validate.ts';

export const paymentsRoutes = new Hono<AppEnv>()
  .post('/solana/get-latest-blockhash', requireUser, validate('json', openIntentSchema), async (c) => {
    const { callerId, payerAddress } = c.req.valid('json');
    return c.json(
      await c.var.services.payments.openIntent({ userId: c.var.userId, callerId, payerAddress }),
      201,
    );
  })
  .post('/solana/send-transaction', requireUser, validate('json', sendTransactionSchema), async (c) =>
    c.json(
      await c.var.services.payments.send({
        userId: c.var.userId,
        transaction: c.req.valid('json').transaction,
      }),
    ),
  )
  .post('/solana/confirm-transaction', requireUser, validate('json', confirmTransactionSchema), async (c) =>
    c.json(
      await c.var.services.payments.confirm({
        userId: c.var.userId,
        signature: c.req.valid('json').signature,
      }),
    ),
  )
  .get('/payments', requireUser, validate('query', pageQuerySchema), async (c) => {
    const { cursor, limit } = c.req.valid('query');
    const { rows, nextCursor } = await c.var.services.receipts.listPaid({
      userId: c.var.userId,
      cursor,
      limit,
    });
    linkNextPage(c, nextCursor);
    return c.json(rows);
  })
  .get('/payments/earnings', requireUser, validate('query', pageQuerySchema), async (c) => {
    const { cursor, limit } = c.req.valid('query');
    const { rows, nextCursor } = await c.var.services.receipts.listEarned({
      userId: c.var.userId,
      cursor,
      limit,
    });
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
