import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TelegramChat } from '#schema/contracts/telegram-chats.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { telegramChatsQuery } from '#web/api/telegram-chats.queries.ts';
import { walletsQuery } from '#web/api/wallets.queries.ts';
import { ChevronRight } from '#web/ui/icons.tsx';
import { coveringLinkClassName } from '#web/ui/lists/covering-link.ts';
import { Badge } from '#web/ui/people/badge.tsx';

/** The settings that decide whether calls and money arrive: a line each, which opens its settings. */
export function SettingsLinks({ user, isCallerView }: { user: CurrentUser; isCallerView: boolean }) {
  return (
    <div className="divide-y divide-line overflow-clip rounded-md border border-line bg-surface-raised">
      <SettingsLink title="Telegram Notifications" section="notifications" state={telegramState(user)} />
      {isCallerView && <CallerLinks user={user} />}
    </div>
  );
}

function CallerLinks({ user: { walletAddress, monthlyFee } }: { user: CurrentUser }) {
  const { data: telegram } = useQuery(telegramChatsQuery);
  const { data: wallets } = useQuery(walletsQuery);
  const payout = wallets ? wallets.find(({ isPayout }) => isPayout)?.walletAddress : walletAddress;
  return (
    <>
      <SettingsLink
        title="Telegram Channel and Group"
        section="notifications"
        hash="telegram-chats"
        state={telegram && chatsState(telegram.chats)}
      />
      <SettingsLink
        title="Payout Wallet"
        section="wallets"
        state={payoutState({ payout, isFree: monthlyFee === null })}
      />
      <SettingsLink title="Sign-ins and API Keys" section="sign-ins" />
    </>
  );
}

interface SettingsLinkProps {
  title: string;
  section: string;
  hash?: string;
  state?: ReactNode;
}

function SettingsLink({ title, section, hash = '', state }: SettingsLinkProps) {
  return (
    <section className="relative flex min-h-11 items-center gap-2 py-2 pr-2 pl-4 hover:bg-surface-hover">
      <h2 className="flex-1 text-sm font-medium">
        <Link to="/settings/$section" params={{ section }} hash={hash} className={coveringLinkClassName}>
          {title}
        </Link>
      </h2>
      <span className="figures text-sm text-text-muted">{state}</span>
      <ChevronRight size={16} className="text-text-muted" />
    </section>
  );
}

const CONNECTED = <Badge tone="gain">Connected</Badge>;

function telegramState({ telegramHandle, telegramConnected }: CurrentUser) {
  if (telegramConnected) return CONNECTED;
  return telegramHandle === null ? 'Off' : <Badge tone="warn">Pending</Badge>;
}

function chatsState(chats: readonly TelegramChat[]) {
  if (chats.some(({ problem }) => problem !== null)) return <Badge tone="loss">Problem</Badge>;
  return chats.length === 0 ? 'None' : CONNECTED;
}

function payoutState({ payout, isFree }: { payout: string | null | undefined; isFree: boolean }) {
  if (payout != null) return shortenAddress(payout);
  return isFree ? 'None' : <Badge tone="warn">Missing</Badge>;
}
