import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

// The icons of the public pages. Shapes from Lucide (ISC licence, https://lucide.dev), whose package would be
// four times as large. `more-icons.ts` has the others.

export interface IconProps extends ComponentProps<'svg'> {
  /** In px at the browser's usual text size. The icon grows with the text. */
  size: number;
}

export const inRem = (px: number): string => `${px / 16}rem`;

/** An icon of one path in a square of 24 px. Hidden from screen readers. */
export function createIcon(path: string) {
  return function Icon({ size, className, ...rest }: IconProps) {
    return (
      <svg
        aria-hidden="true"
        width={inRem(size)}
        height={inRem(size)}
        viewBox="0 0 24 24"
        className={classNames('icon', className)}
        {...rest}
      >
        <path d={path} />
      </svg>
    );
  };
}

export const ArrowDown = createIcon('M12 5v14m7-7-7 7-7-7');
export const ArrowUp = createIcon('m5 12 7-7 7 7m-7 7V5');
export const BadgeCheck = createIcon(
  'M3.85 8.62a4 4 0 0 1 4.78-4.77 4 4 0 0 1 6.74 0 4 4 0 0 1 4.78 4.78 4 4 0 0 1 0 6.74 4 4 0 0 1-4.77 4.78 4 4 0 0 1-6.75 0 4 4 0 0 1-4.78-4.77 4 4 0 0 1 0-6.76ZM16 9l-5.5 5.5L8 12',
);
export const Check = createIcon('M20 6 9 17l-5-5');
export const ChevronDown = createIcon('m6 9 6 6 6-6');
export const CircleHelp = createIcon(
  'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0ZM9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5m0 4h.01',
);
export const Copy = createIcon(
  'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2ZM4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2',
);
export const LayoutGrid = createIcon('M3 3h7v7H3zm11 0h7v7h-7zm0 11h7v7h-7zM3 14h7v7H3z');
export const MenuIcon = createIcon('M4 5h16M4 12h16M4 19h16');
export const Search = createIcon('m21 21-4.34-4.34M3 11a8 8 0 1 0 16 0 8 8 0 1 0-16 0');
export const TableIcon = createIcon(
  'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm7 0v18M3 9h18M3 15h18',
);
export const X = createIcon('M18 6 6 18M6 6l12 12');
export const ArrowLeft = createIcon('M12 19l-7-7 7-7M19 12H5');
export const ArrowUpRight = createIcon('M7 7h10v10M7 17 17 7');
export const ChevronRight = createIcon('M9 18l6-6-6-6');
export const Flag = createIcon(
  'M4 22V4a1 1 0 0 1 .4-.8A6 6 0 0 1 8 2c3 0 5 2 7.333 2q2 0 3.067-.8A1 1 0 0 1 20 4v10a1 1 0 0 1-.4.8A6 6 0 0 1 16 16c-3 0-5-2-8-2a6 6 0 0 0-4 1.528',
);
export const Pencil = createIcon(
  'M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497zM15 5l4 4',
);
export const Share2 = createIcon(
  'M15 5a3 3 0 1 0 6 0a3 3 0 1 0-6 0M3 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0M15 19a3 3 0 1 0 6 0a3 3 0 1 0-6 0M8.59 13.51L15.42 17.49M15.41 6.51L8.59 10.49',
);
export const TriangleAlert = createIcon(
  'M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01',
);
