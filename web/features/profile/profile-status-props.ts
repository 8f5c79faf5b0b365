import type { ReactNode } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';

export interface SubscribeProps {
  caller: CallerProfile;
  onSubscribe: () => void;
  isSubscribing: boolean;
  /** True while a payment to the caller is in progress. Then `onSubscribe` opens its dialog. */
  isPaying: boolean;
}

export interface ProfileStatusProps extends SubscribeProps {
  onUnfollow: () => void;
  isUnfollowing: boolean;
  muteToggle: ReactNode;
}
