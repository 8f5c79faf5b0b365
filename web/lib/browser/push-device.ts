import type { PushDeviceBody } from '#schema/contracts/push.ts';

const WORKER = '/sw.js';

/** `home_screen`: iPhones and iPads show notifications only for sites on the home screen. */
export type PushSupport = 'supported' | 'home_screen' | 'unsupported' | 'denied';

export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return /iPhone|iPad/.test(navigator.userAgent) ? 'home_screen' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'denied' : 'supported';
}

/** The address at which the push service reaches this browser; null if it isn't subscribed. */
export async function findPushEndpoint(): Promise<string | null> {
  if (pushSupport() !== 'supported') return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null;
}

/** Asks for permission, and subscribes this browser. Returns null if the user doesn't allow it. */
export async function subscribeToPush(publicKey: string): Promise<PushDeviceBody | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription for another key can't be used, and can't be changed.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  return subscription.toJSON() as PushDeviceBody;
}

export async function unsubscribeFromPush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
