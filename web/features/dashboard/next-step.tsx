import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { telegramChatsQuery } from '#web/api/telegram-chats.queries.ts';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { useStored } from '#web/lib/browser/use-stored.ts';
import { DirectoryLink } from '#web/lib/page/directory-link.tsx';
import { hasMessageChannel } from '#web/lib/people/gets-messages.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { useNow } from '#web/ui/figures/use-now.ts';
import { X } from '#web/ui/icons.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { RenewButton, type RenewButtonProps } from './follower/my-subscriptions-card.tsx';
import { readSubscriptions, useMySubscriptions, type FollowedCaller } from './follower/my-subscriptions.ts';

export interface NextStepProps extends Omit<RenewButtonProps, 'followed'> {
  user: CurrentUser;
}

interface Step {
  /** Remembered when the step is dismissed. */
  readonly id: string;
  readonly text: ReactNode;
  readonly action: ReactNode;
}

/** The most urgent thing to do. It's as tall while it loads and without a step, so that nothing below it moves. */
export function NextStep(props: NextStepProps) {
  const steps = useSteps(props);
  const [stored, store] = useStored(pageStorage, 'solcallers.dismissed');
  const dismissed = stored?.split(' ') ?? [];
  const step = steps?.find(({ id }) => !dismissed.includes(id));
  return (
    <section
      aria-label="What to do next"
      className={
        'mb-4 flex min-h-32 items-center gap-x-2 rounded-md border border-line bg-surface-raised py-1.5 pr-1.5 pl-4 text-sm ' +
        'sm:min-h-14 lg:mb-5'
      }
    >
      {steps === null && (
        <SkeletonBars label="Loading what to do next" className="flex-1" bars={['h-4 w-80']} />
      )}
      {steps !== null && !step && <p className="text-text-muted">Nothing needs doing now.</p>}
      {step && (
        <>
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-[min(15rem,100%)] flex-1 tabular-nums wrap-anywhere">{step.text}</p>
            {step.action}
          </div>
          <Button
            variant="ghost"
            size="icon"
            aria-label="Dismiss"
            onClick={() => store([...dismissed, step.id].join(' '))}
          >
            <X size={16} />
          </Button>
        </>
      )}
    </section>
  );
}

/** Everything that needs doing, the most urgent first; null while it's unknown. */
function useSteps({ user, ...props }: NextStepProps): readonly Step[] | null {
  const subscriptions = useMySubscriptions();
  const chats = useQuery({ ...telegramChatsQuery, enabled: user.isCaller });
  const now = useNow();
  if (subscriptions.isPending || (user.isCaller && chats.isPending)) return null;
  const ending = readSubscriptions(subscriptions.data ?? [], now).filter(({ endsSoon }) => endsSoon);
  return [
    ...(user.isCaller && user.monthlyFee !== null && user.walletAddress === null ? [PAYOUT_WALLET] : []),
    ...ending.map((followed) => renewStep(followed, props)),
    ...(!user.isCaller && subscriptions.data?.length === 0 ? [FIND_CALLER] : []),
    ...(hasMessageChannel(user) ? [] : [MESSAGES]),
    ...(chats.data?.chats.length === 0 ? [CHATS] : []),
  ];
}

const FIND_CALLER: Step = {
  id: 'find-caller',
  text: 'Follow a caller for free, or subscribe to one: their active calls then appear here.',
  action: <DirectoryLink size="sm">Find a caller</DirectoryLink>,
};
const PAYOUT_WALLET = settingsStep({
  id: 'payout-wallet',
  text: 'You charge a fee but have no payout wallet, so nobody can subscribe to you yet.',
  section: 'wallets',
  label: 'Connect a wallet',
});
const MESSAGES = settingsStep({
  id: 'telegram',
  text: 'Messages reach you only while this page is open. Get them on Telegram or on this device.',
  section: 'notifications',
  label: 'Get messages',
});
const CHATS = settingsStep({
  id: 'telegram-chats',
  text: 'The bot can post your calls in your Telegram channel or group, and let subscribers in.',
  section: 'notifications',
  label: 'Add your group',
});

interface SettingsStep extends Omit<Step, 'action'> {
  section: string;
  label: string;
}

/** A step in the settings. Its id is also the id of the card. */
function settingsStep({ section, label, ...step }: SettingsStep): Step {
  return {
    ...step,
    action: (
      <Link
        to="/settings/$section"
        params={{ section }}
        hash={step.id}
        className={buttonClassName({ variant: 'primary', size: 'sm' })}
      >
        {label}
      </Link>
    ),
  };
}

function renewStep(followed: FollowedCaller, props: Omit<NextStepProps, 'user'>): Step {
  const { subscription, end } = followed;
  const { id, caller, endDate } = subscription;
  const when = end?.warning ? `${end.warning.toLowerCase()},` : 'ended';
  return {
    id: `${id}@${endDate}`,
    text: (
      <>
        Your subscription to <bdi className="font-medium">{fullName(caller)}</bdi> {when} on {end?.when}.
      </>
    ),
    action: <RenewButton followed={followed} {...props} />,
  };
}
