import { Hono } from 'hono';
import { confirmTransactionSchema, openIntentSchema, sendTransactionSchema } from '#schema/contracts/payments.ts';
import type { AppEnv } from '../../app/context.ts';
import { requireUser } from '../../app/session.ts';
import { validate } from '../../app/validate.ts';

/** The three calls of a payment: open it, send what the wallet signed, wait for the chain. */
export const paymentsRoutes = new Hono<AppEnv>()
  .post('/solana/get-latest-blockhash', requireUser, validate('json', openIntentSchema), async (c) => {
    const { callerId, payerAddress } = c.req.valid('json');
    return c.json(await c.var.services.payments.openIntent({ userId: c.var.userId, callerId, payerAddress }), 201);
  })
  .post('/solana/send-transaction', requireUser, validate('json', sendTransactionSchema), async (c) =>
    c.json(await c.var.services.payments.send({ userId: c.var.userId, transaction: c.req.valid('json').transaction })),
  )
  .post('/solana/confirm-transaction', requireUser, validate('json', confirmTransactionSchema), async (c) =>
    c.json(await c.var.services.payments.confirm({ userId: c.var.userId, signature: c.req.valid('json').signature })),
  );
