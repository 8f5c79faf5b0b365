import { inRem } from './icons.tsx';
import { PRODUCT_NAME } from '#schema/constants/app.ts';

export function LogoMark({ size = 28 }: { size?: number | undefined }) {
  return (
    <svg aria-hidden="true" width={inRem(size)} height={inRem(size)} viewBox="0 0 28 28" className="shrink-0">
      <path d="M8.2 18.6 19 8.4" stroke="currentColor" strokeWidth="2.25" />
      <circle cx="6" cy="20.8" r="3.2" fill="none" stroke="currentColor" strokeWidth="2.25" />
      <circle cx="21.5" cy="6.2" r="4.7" className="fill-accent" />
    </svg>
  );
}

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 text-base font-semibold tracking-tight">
      <LogoMark />
      {/** Visually hidden on the narrowest phones. */}
      <span className="whitespace-nowrap max-[23rem]:sr-only">{PRODUCT_NAME}</span>
    </span>
  );
}
