import { classNames } from '#web/ui/class-names.ts';

/** On phones one column, in the order of the children. On desktops the side column is the second. */
export const columnsClassName = classNames(
  'settles grid items-start gap-4 *:min-w-0 lg:gap-6',
  'lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_auto_1fr]',
);
export const sideColumnClassName =
  'settles grid gap-4 *:min-w-0 lg:col-start-2 lg:row-span-3 lg:row-start-1 lg:gap-6';
