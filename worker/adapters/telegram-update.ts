import { z } from 'zod';

const chat = z.looseObject({ id: z.int(), type: z.string(), title: z.string().optional() });
const person = z.looseObject({
  id: z.int(),
  is_bot: z.boolean(),
  first_name: z.string(),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
const member = z.looseObject({
  user: person,
  status: z.enum(['creator', 'administrator', 'member', 'restricted', 'left', 'kicked']),
  is_member: z.boolean().optional(),
});
const event = z.looseObject({ date: z.int(), chat, from: person });
/** Only private chats have no title. */
const change = event
  .extend({ old_chat_member: member, new_chat_member: member })
  .refine(({ chat: { type, title } }) => type === 'private' || title !== undefined);
const entity = z.looseObject({ type: z.string(), offset: z.int(), length: z.int() });
const message = event.partial({ from: true }).extend({
  message_id: z.int(),
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
  reply_to_message: z
    .looseObject({ forum_topic_created: z.looseObject({ name: z.string() }).optional() })
    .optional(),
  forum_topic_reopened: z.looseObject({}).optional(),
  text: z.string().optional(),
  entities: z.array(entity).optional(),
  migrate_to_chat_id: z.int().optional(),
  chat_shared: z.looseObject({ chat_id: z.int() }).optional(),
});
const press = z.looseObject({
  id: z.string(),
  from: person,
  message: message.optional(),
  data: z.string().optional(),
});

/** The fields that the bot reads of the updates that it subscribes to (`TELEGRAM_UPDATES`). */
export const readableUpdate = z
  .looseObject({
    message,
    callback_query: press,
    my_chat_member: change,
    chat_member: change,
    chat_join_request: event.extend({ user_chat_id: z.int().optional() }),
  })
  .partial();
