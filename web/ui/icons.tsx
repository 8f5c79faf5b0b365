import type { ComponentProps, ReactNode } from 'react';

// The icons of the first screen. Shapes from Lucide (ISC licence, https://lucide.dev), whose package would be
// four times as large. Other screens use the package.

interface IconProps extends ComponentProps<'svg'> {
  /** The icon's size in px. */
  size: number;
}

function createIcon(shape: ReactNode) {
  return function Icon({ size, ...rest }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        {...rest}
      >
        {shape}
      </svg>
    );
  };
}

export const ArrowDown = createIcon(<path d="M12 5v14m7-7-7 7-7-7" />);
export const ArrowUp = createIcon(<path d="m5 12 7-7 7 7m-7 7V5" />);
export const BadgeCheck = createIcon(
  <path d="M3.85 8.62a4 4 0 0 1 4.78-4.77 4 4 0 0 1 6.74 0 4 4 0 0 1 4.78 4.78 4 4 0 0 1 0 6.74 4 4 0 0 1-4.77 4.78 4 4 0 0 1-6.75 0 4 4 0 0 1-4.78-4.77 4 4 0 0 1 0-6.76ZM16 9l-5.5 5.5L8 12" />,
);
export const Check = createIcon(<path d="M20 6 9 17l-5-5" />);
export const ChevronDown = createIcon(<path d="m6 9 6 6 6-6" />);
/** Drawn as a single path, because a list has this icon in each row. */
export const CircleHelp = createIcon(
  <path d="M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0ZM9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5m0 4h.01" />,
);
export const Copy = createIcon(
  <>
    <rect width="14" height="14" x="8" y="8" rx="2" />
    <path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2" />
  </>,
);
export const LayoutGrid = createIcon(
  [
    [3, 3],
    [14, 3],
    [14, 14],
    [3, 14],
  ].map(([x, y]) => <rect key={`${x} ${y}`} width="7" height="7" x={x} y={y} rx="1" />),
);
export const MenuIcon = createIcon(<path d="M4 5h16M4 12h16M4 19h16" />);
export const Search = createIcon(
  <>
    <path d="m21 21-4.34-4.34" />
    <circle cx="11" cy="11" r="8" />
  </>,
);
export const TableIcon = createIcon(
  <>
    <rect width="18" height="18" x="3" y="3" rx="2" />
    <path d="M12 3v18M3 9h18M3 15h18" />
  </>,
);
export const X = createIcon(<path d="M18 6 6 18M6 6l12 12" />);
