/** Makes a whole row or card clickable. Use it on a link inside a `relative` box. */
export const coveringLinkClassName = 'after:absolute after:inset-0';
/** Puts other controls in a box with a covering link above that link. */
export const aboveCoveringLinkClassName = 'relative z-1';
