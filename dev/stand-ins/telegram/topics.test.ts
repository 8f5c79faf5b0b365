import { beforeEach, expect, test } from 'vitest';
import { ACCESS_RIGHTS, type TestProduct, type TestTelegram, useTestTelegram } from './test-product.ts';

let product: TestProduct;
let telegram: TestTelegram;
useTestTelegram((scene) => void ({ product, telegram } = scene));

const owner = { as: 'owner_tele' };
let chatId: number;
let topicId: number;

beforeEach(async () => {
  chatId = await telegram.newChat('supergroup');
  await telegram.promoteBot(chatId, ACCESS_RIGHTS);
  await telegram.act('change-chat', { ...owner, chatId, isForum: true });
  ({ topicId } = await telegram.act('create-topic', { ...owner, chatId, name: 'Calls' }));
  product.reset();
});

const send = (message: object) => telegram.bot('sendMessage', { chat_id: chatId, text: 'Call', ...message });
const sendTo = (topic: number) => send({ message_thread_id: topic });

test('a message in a topic has its id, and is a reply to the message that created it', async () => {
  await telegram.act('write', { ...owner, chatId, topicId, text: '/connect' });
  await telegram.act('write', { ...owner, chatId, text: '/connect' });
  const [inTopic, inGeneral] = product.updates('message');
  expect(inTopic).toMatchObject({
    message_thread_id: topicId,
    is_topic_message: true,
    chat: { is_forum: true },
    reply_to_message: { message_id: topicId, forum_topic_created: { name: 'Calls' } },
  });
  expect(Object.keys(inGeneral)).not.toContain('message_thread_id');
});

test('a message to General, a closed topic or a deleted one is refused as Telegram does', async () => {
  expect((await sendTo(topicId)).result).toMatchObject({ message_thread_id: topicId });
  expect(await sendTo(1)).toMatchObject({ description: 'Bad Request: message thread not found' });
  await telegram.act('close-topic', { ...owner, chatId, topicId });
  expect(await sendTo(topicId)).toMatchObject({ error_code: 400, description: 'Bad Request: TOPIC_CLOSED' });
  await telegram.promoteBot(chatId);
  expect((await sendTo(topicId)).ok).toBe(true);
  await telegram.act('delete-topic', { ...owner, chatId, topicId });
  expect(await sendTo(topicId)).toMatchObject({ description: 'Bad Request: message thread not found' });
  await telegram.act('change-chat', { ...owner, chatId, isForum: false });
  expect((await sendTo(topicId)).ok).toBe(true);
});

test('a reply without a topic goes to the topic of its message, and one to a protected message elsewhere is none', async () => {
  const { result: post } = await send({ message_thread_id: topicId, protect_content: true });
  const reply_parameters = { message_id: post.message_id };
  const { topicId: other } = await telegram.act('create-topic', { ...owner, chatId, name: 'Other' });
  expect((await send({ reply_parameters })).result).toMatchObject({
    message_thread_id: topicId,
    reply_to_message: { message_id: post.message_id },
  });
  expect((await send({ reply_parameters, message_thread_id: other })).result).toMatchObject({
    message_thread_id: other,
    reply_to_message: { message_id: other },
  });
});
