import { zValidator } from '@hono/zod-validator';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { refuseOtherOrigins } from '../../controls/same-origin.ts';
import { actionSchema, newChatSchema, userReference } from '../actions/action-schema.ts';
import { UserError } from '../bot-error.ts';
import { chatUrl } from './page-forms.ts';
import type { ActionResult, Telegram } from '../telegram.ts';
import type { User } from '../telegram-state.ts';

const startForm = z.object({ handle: userReference, payload: z.string().max(64) });
const blockForm = z.object({ handle: userReference });
const userForm = z.looseObject({ firstName: z.string().min(1).max(64) });
interface ShownResult {
  user: User;
  chatId?: number | undefined;
  result: ActionResult;
}

/** The actions of the page's forms. */
export function createPageActions({ telegram }: { telegram: Telegram }): Hono {
  const { store } = telegram;

  function showResult(c: Context, { user, chatId, result }: ShownResult): Response {
    const group = chatId === undefined ? undefined : store.findGroup(chatId);
    const problem = result.isDelivered
      ? ''
      : `&problem=${encodeURIComponent(`SolCallers hasn't accepted this yet (${result.error}). Retrying…`)}`;
    return c.redirect(`${chatUrl({ user, group })}${problem}`, 303);
  }

  async function attempt(c: Context, as: string, act: () => Promise<Response>): Promise<Response> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const back = new URL(c.req.header('referer') ?? `/telegram?as=${as}`, c.req.url);
      back.searchParams.set('as', as);
      back.searchParams.set('problem', error.message);
      return c.redirect(`${back.pathname}${back.search}`, 303);
    }
  }

  return new Hono()
    .use(refuseOtherOrigins())
    .get('/chat', (c) => c.json({ chat: store.findUser(c.req.query('handle') ?? '') ?? null }))
    .get('/photo/:id', (c) => {
      const bytes = telegram.photo(c.req.param('id'));
      return bytes === undefined ? c.notFound() : c.body(bytes, 200, { 'content-type': 'image/png' });
    })
    .post('/start', zValidator('form', startForm), async (c) => {
      const form = c.req.valid('form');
      const result = await telegram.pressStart(form);
      return showResult(c, { user: store.openUser(form.handle), result });
    })
    .post('/block', zValidator('form', blockForm), async (c) => {
      const { handle } = c.req.valid('form');
      const result = await telegram.setBlocked({ handle, isBlocked: true });
      return showResult(c, { user: store.openUser(handle), result });
    })
    .post('/user', zValidator('form', userForm), (c) => {
      const { firstName, ...rest } = c.req.valid('form');
      const { id } = store.addUser({ firstName, username: null });
      const texts = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
      const { pathname = '', ...kept } = Object.fromEntries(texts);
      const back = pathname.startsWith('/telegram') ? pathname : '/telegram';
      return c.redirect(`${back}?${new URLSearchParams({ ...kept, as: String(id) }).toString()}`, 303);
    })
    .post('/new', zValidator('form', newChatSchema), (c) => {
      const form = c.req.valid('form');
      const group = telegram.createChat(form);
      return c.redirect(chatUrl({ user: store.openUser(form.as), group }), 303);
    })
    .post('/act', async (c) => {
      const form = await c.req.parseBody({ all: true });
      const rights = form['rights'] === undefined ? {} : { rights: [form['rights']].flat().map(String) };
      const splitRights = form['action'] === 'add-bot' ? {} : rights;
      const action = actionSchema.safeParse({ ...form, ...splitRights });
      if (!action.success) return c.text(z.prettifyError(action.error), 400);
      const { as } = action.data;
      return attempt(c, as, async () => {
        const result = await telegram.act(action.data, c.req.url);
        const chatId = 'chatId' in result ? Number(result.chatId) : action.data.chatId;
        return showResult(c, { user: store.openUser(as), chatId, result });
      });
    });
}
