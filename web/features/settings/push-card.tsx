import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { PushDeviceBody } from '#schema/contracts/push.ts';
import { changePushMutation, pushQuery } from '#web/api/account.queries.ts';
import '#web/lib/browser/own-scripts.ts';
import { LoadFailedLine } from '#web/lib/page/load-failed-line.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { NotificationChoices } from './notification-choices.tsx';

const OBSTACLES: Readonly<Record<Exclude<PushSupport, 'supported'>, string>> = {
  unsupported: "This browser can't show notifications. Use Telegram, or another browser.",
  home_screen: `Add ${PRODUCT_NAME} to your home screen first: press Share, then Add to Home Screen. Open it from there.`,
  denied:
    'You have blocked notifications of this site. Allow them in your browser’s site settings, then reload.',
};

/** Browsers give no reason. Brave has push switched off at first, and private windows have none. */
const BROWSER_REFUSED =
  'Your browser blocked notifications. In Brave, turn on “Use Google services for push messaging”. In a private window, they never work: use a normal one.';

export function PushCard({ user }: { user: Pick<CurrentUser, 'telegramConnected' | 'isCaller'> }) {
  const [support, setSupport] = useState(pushSupport);
  const { settings, browser, isOn, isLoading, retry } = usePushState(support === 'supported');
  const readSupport = async () => {
    setSupport(pushSupport());
    await browser.refetch();
  };
  return (
    <Card
      title="Notifications on This Device"
      aside={<span role="status">{isOn && <Badge tone="gain">On</Badge>}</span>}
    >
      {support !== 'supported' && <p className="text-sm text-text-muted">{OBSTACLES[support]}</p>}
      {support === 'supported' && isLoading && LOADING}
      {support === 'supported' && !isLoading && settings === undefined && (
        <LoadFailedLine what="notifications on this device" onRetry={retry} />
      )}
      {support === 'supported' && !isLoading && settings && (
        <div className="space-y-4">
          {!isOn && <p className="text-sm text-text-muted">{SAME_MESSAGES}</p>}
          {/** Telegram's card has the same choices, so this card shows them only without Telegram. */}
          {isOn && !user.telegramConnected && <NotificationChoices isCaller={user.isCaller} />}
          <Toggle publicKey={settings.publicKey} isOn={isOn} onChanged={readSupport} />
        </div>
      )}
    </Card>
  );
}

const SAME_MESSAGES = 'The same messages as on Telegram, also while this page is closed.';

const LOADING = <SkeletonBars label="Loading notifications on this device" bars={['h-11']} />;

/** Push is on if the server has the browser's current push address. */
function usePushState(enabled: boolean) {
  const { data: settings, isPending, refetch } = useQuery({ ...pushQuery, enabled });
  const browser = useQuery({
    queryKey: ['push-endpoint'],
    queryFn: findPushEndpoint,
    networkMode: 'always',
    staleTime: 0,
    enabled,
  });
  const isOn = settings?.endpoint != null && settings.endpoint === browser.data;
  return { settings, browser, isOn, isLoading: isPending || browser.isPending, retry: refetch };
}

interface ToggleProps {
  publicKey: string;
  isOn: boolean;
  onChanged: () => Promise<unknown>;
}

function Toggle({ publicKey, isOn, onChanged }: ToggleProps) {
  const [isChanging, setIsChanging] = useState(false);
  const { mutateAsync } = useMutation(changePushMutation);

  const turnOn = async () => {
    const device = await subscribeToPush(publicKey);
    if (device === null) return;
    await mutateAsync(device);
    toast({ title: 'Notifications On', description: 'New calls now appear on this device.' });
  };
  const turnOff = async () => {
    await mutateAsync(null);
    await unsubscribeFromPush();
    toast({ title: 'Notifications Off', description: 'This device gets no more messages.' });
  };
  const change = async () => {
    setIsChanging(true);
    try {
      await (isOn ? turnOff() : turnOn());
    } catch (error) {
      showError(error, isOn ? 'Failed to turn notifications off' : BROWSER_REFUSED);
    }
    await onChanged();
    setIsChanging(false);
  };
  return (
    <Button
      className="w-full"
      isPending={isChanging}
      pendingText={isOn ? 'Turning off...' : 'Turning on...'}
      onClick={() => void change()}
    >
      {isOn ? 'Turn Off' : 'Turn On'}
    </Button>
  );
}

const WORKER = '/sw.js';

/** `home_screen`: iPhones and iPads show notifications only for sites on the home screen. */
type PushSupport = 'supported' | 'home_screen' | 'unsupported' | 'denied';

function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return /iPhone|iPad/.test(navigator.userAgent) ? 'home_screen' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'denied' : 'supported';
}

/** The address at which the push service reaches this browser; null if it isn't subscribed. */
async function findPushEndpoint(): Promise<string | null> {
  if (pushSupport() !== 'supported') return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null;
}

/** Asks for permission, and subscribes this browser. Returns null if the user doesn't allow it. */
async function subscribeToPush(publicKey: string): Promise<PushDeviceBody | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription for another key can't be used, and can't be changed.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.['p256dh'] || !keys['auth']) {
    throw new Error('The browser has no address for messages.');
  }
  return { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } };
}

async function unsubscribeFromPush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
