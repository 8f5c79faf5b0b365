import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TelegramChat, TelegramChatChange } from '#schema/contracts/telegram-chats.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { describeChatProblem } from '#schema/rules/access/telegram-chat-texts.ts';
import { changeTelegramChatMutation, telegramChatsQuery } from '#web/api/telegram-chats.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { showError } from '#web/lib/page/show-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { Address } from '#web/ui/figures/address.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { LazyFold } from '#web/ui/lists/fold.tsx';
import { ProblemNote } from '#web/ui/lists/problem-note.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { ChatOthers } from './chat-others.tsx';
import { TELEGRAM_ANCHOR } from './telegram-card.tsx';

const KINDS = { channel: 'Channel', group: 'Group' } as const;

interface TelegramChatsCardProps {
  user: Pick<CurrentUser, 'telegramConnected' | 'monthlyFee'>;
}

export function TelegramChatsCard({ user }: TelegramChatsCardProps) {
  const query = useQuery(telegramChatsQuery);
  return (
    <Card title="Telegram Channel and Group" id="telegram-chats">
      <ListState query={query} what="your channel and group" skeletons={1}>
        {({ chats, addUrls }) => {
          const missing = (['channel', 'group'] as const).filter(
            (kind) => !chats.some((chat) => chat.kind === kind),
          );
          return (
            <div className="space-y-4">
              {chats.length > 0 && (
                <ul className="divide-y divide-line">
                  {chats.map((chat) => (
                    <li key={chat.id} className="space-y-3 py-4 first:pt-0">
                      <ChatRow chat={chat} isPaid={user.monthlyFee !== null} />
                    </li>
                  ))}
                </ul>
              )}
              {missing.length > 0 && <p className="text-sm text-text-muted">{howToAdd(user)}</p>}
              {user.telegramConnected && missing.length > 0 && (
                <div className="flex flex-wrap gap-2">
                  {missing.map((kind) => (
                    <LinkButton key={kind} href={addUrls[kind]} isExternal className="flex-1">
                      Add to a {kind}
                    </LinkButton>
                  ))}
                </div>
              )}
            </div>
          );
        }}
      </ListState>
    </Card>
  );
}

const howToAdd = ({ telegramConnected, monthlyFee }: TelegramChatsCardProps['user']) =>
  telegramConnected ? (
    `The bot posts each call once, and replies to it with updates and the end. Add it as an administrator, then press Yes in your chat with it.${
      monthlyFee === null ? '' : ' It must be private: only subscribers are let in.'
    }`
  ) : (
    <>
      The bot can post your calls in a channel or group, and let subscribers into a private one.{' '}
      <a href={`#${TELEGRAM_ANCHOR}`} className="link">
        Connect Telegram
      </a>{' '}
      first.
    </>
  );

const Place = ({ kind, topicName }: TelegramChat) => (
  <span className="note">
    {KINDS[kind]}
    {topicName !== null && (
      <>
        , topic <bdi>{topicName}</bdi>
      </>
    )}
  </span>
);

function ChatRow({ chat, isPaid }: { chat: TelegramChat; isPaid: boolean }) {
  const { id, kind, title, problem, joinLink } = chat;
  const [isLeaving, setIsLeaving] = useState(false);
  const { mutate, isPending, variables } = useMutation({
    ...changeTelegramChatMutation,
    onError: (error) => showError(error, 'Failed to change the chat'),
  });
  const change = (next: TelegramChatChange) => mutate({ id, change: next });
  const pending = isPending ? variables.change : null;
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium wrap-anywhere">
          <bdi>{title}</bdi>
          <Place {...chat} />
        </p>
        {problem === null ? <Badge tone="gain">Connected</Badge> : <Badge tone="loss">Problem</Badge>}
      </div>
      {problem !== null && <ProblemNote>{describeChatProblem(problem, kind)}</ProblemNote>}
      {problem === 'unconfirmed' && (
        <Button className="w-full" isPending={isPending} onClick={() => change({ confirmsPaid: true })}>
          Confirm: for subscribers only
        </Button>
      )}
      {isPaid && joinLink !== null && (
        <div className="text-sm">
          <p>Link for subscribers</p>
          <Address value={joinLink} label="link" isFull className="text-text" />
          <Button
            variant="ghost"
            size="sm"
            isPending={pending?.newLink}
            onClick={() => change({ newLink: true })}
          >
            New link
          </Button>
        </div>
      )}
      {isPaid && (
        <Switch
          label="Remove others"
          description="People who came in without the bot and have no subscription are removed."
          checked={pending?.removesOthers ?? chat.removesOthers}
          onCheckedChange={(removesOthers) => change({ removesOthers })}
        />
      )}
      {isPaid && (
        <LazyFold title="People without access">
          <ChatOthers chatId={id} />
        </LazyFold>
      )}
      <Switch
        label="Weekly recap"
        description="Posts an image about the week’s ended calls on Mondays."
        checked={pending?.postsRecap ?? chat.postsRecap}
        onCheckedChange={(postsRecap) => change({ postsRecap })}
      />
      {isLeaving ? (
        <ConfirmButtons
          confirmLabel="Disconnect"
          pendingText="Disconnecting..."
          isPending={isPending}
          onConfirm={() => mutate({ id, change: null })}
          cancelLabel="Keep"
          onCancel={() => setIsLeaving(false)}
        />
      ) : (
        <Button variant="ghost" size="sm" className="w-full" onClick={() => setIsLeaving(true)}>
          Disconnect this {kind}
        </Button>
      )}
    </>
  );
}
