/** Makes a whole row or card clickable. It is for a link inside a `relative` box. */
export const coveringLinkClassName = 'after:absolute after:inset-0';
/** Keeps other controls in such a box above the covering link. */
export const aboveCoveringLinkClassName = 'relative z-1';
