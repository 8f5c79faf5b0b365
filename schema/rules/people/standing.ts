export interface Standing {
  /** The caller isn't in lists and gets no new subscriptions. Running subscriptions continue. */
  readonly isSuspended: boolean;
  /** The caller is suspended, and only they and subscribers with access can see the page and the calls. */
  readonly isHidden: boolean;
}

export const isListed = ({ isSuspended, isHidden }: Standing): boolean => !isSuspended && !isHidden;
