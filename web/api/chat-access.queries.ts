import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';
import { cursorPaging, cursorParam, readPage } from './pages.ts';
import { refetch } from './refetch.ts';
import { currentUserQuery } from './session.queries.ts';

/** The chat, caller and person of the link in the bot's message to somebody who asks to join. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['telegram', 'join', token],
    queryFn: () => read(client.api.telegram.join[':token'].$get({ param: { token } })),
    retry: false,
  });

/** Connects the Telegram account that asks to join. Its variable is the link's token. */
export const acceptInvitationMutation = mutationOptions({
  mutationFn: (token: string) => read(client.api.telegram.join.$post({ json: { token } })),
  onSuccess: refetch(currentUserQuery.queryKey),
});

/** The links to a caller's chats, for people with access. */
export const joinLinksQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['callers', callerId, 'telegram-chats'],
    queryFn: () => read(client.api.callers[':callerId']['telegram-chats'].$get({ param: { callerId } })),
  });

/** People in an own chat who came without the bot and have no access, newest first. */
export const chatOthersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['user', 'telegram-chats', id, 'others'],
    queryFn: ({ pageParam }) =>
      readPage(
        client.api.user['telegram-chats'][':id'].others.$get({
          param: { id },
          query: cursorParam(pageParam),
        }),
      ),
    ...cursorPaging,
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
  });
