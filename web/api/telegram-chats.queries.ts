import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { TelegramChatChange } from '#schema/contracts/telegram-chats.ts';
import { client, read } from './client.ts';
import { storeResponse } from './store-response.ts';

const { 'telegram-chats': route } = client.api.user;

/** Refetched on every visit, because chats are connected in Telegram. */
export const telegramChatsQuery = queryOptions({
  queryKey: ['user', 'telegram-chats'],
  queryFn: () => read(route.$get()),
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

/** Changes a chat's settings. Null disconnects it. */
export const changeTelegramChatMutation = mutationOptions({
  mutationFn: ({ id, change }: { id: string; change: TelegramChatChange | null }) =>
    read(
      change === null
        ? route[':id'].$delete({ param: { id } })
        : route[':id'].$patch({ param: { id }, json: change }),
    ),
  onSuccess: (chats, _change, _result, context) => storeResponse(context.client, telegramChatsQuery, chats),
});
