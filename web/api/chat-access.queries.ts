import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';
import { cursorPaging, cursorParam, readPage } from './pages.ts';

export const joinLinksQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['callers', callerId, 'telegram-chats'],
    queryFn: () => read(client.api.callers[':callerId']['telegram-chats'].$get({ param: { callerId } })),
  });

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
