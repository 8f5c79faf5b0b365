/** The operators' restriction of a caller. */
export interface Standing {
  /** Not in lists, and no new subscriptions. Running ones continue. */
  readonly isSuspended: boolean;
  /** Like suspended, and only the caller and subscribers with access find the page and the calls. */
  readonly isHidden: boolean;
}

export const isListed = ({ isSuspended, isHidden }: Standing): boolean => !isSuspended && !isHidden;
