import { useInfiniteQuery } from '@tanstack/react-query';
import { chatOthersQuery } from '#web/api/chat-access.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';

export function ChatOthers({ chatId }: { chatId: string }) {
  const query = useInfiniteQuery(chatOthersQuery(chatId));
  return (
    <ListState
      query={query}
      what="people without access"
      skeletons={1}
      empty={{ title: 'Nobody without access', description: 'Everybody whom the bot knows here has access.' }}
    >
      {(shown) => (
        <>
          <ul className="divide-y divide-line text-sm">
            {shown.map(({ id, name, isAdmin, since }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
                <span>
                  <bdi>{name === '' ? `Telegram id ${id}` : name}</bdi>
                  {isAdmin && <span className="text-text-muted"> · administrator, can't be removed</span>}
                </span>
                <span className="text-text-muted">
                  joined <RelativeTime at={since} />
                </span>
              </li>
            ))}
          </ul>
          <ShowMore query={query} failure="Couldn't load more people.">
            Show more
          </ShowMore>
        </>
      )}
    </ListState>
  );
}
