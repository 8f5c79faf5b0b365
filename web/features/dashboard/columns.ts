/** On phones one column, on desktops the main column and a side column. */
export const columnsClassName =
  'settles grid items-start gap-4 *:min-w-0 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:gap-5';
/** On phones its cards are in the one column themselves, where `order-*` can move them. */
export const columnClassName = 'settles grid gap-4 *:min-w-0 max-lg:contents lg:gap-5';
