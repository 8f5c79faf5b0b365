import { Popover } from '@base-ui/react/popover';
import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface ExplainProps {
  /** The term, such as 'Proven'. */
  term: string;
  /** Shows only the icon. For places where the term is already on screen. */
  isIconOnly?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A term with an explanation that a click, a touch or a key opens. */
export function Explain({ term, isIconOnly = false, className, children }: ExplainProps) {
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={isIconOnly ? `What ${term} means` : undefined}
        className={classNames(
          // A larger clickable area is easier to touch.
          'relative z-1 inline-flex items-center gap-1 rounded-sm before:absolute before:-inset-3 hover:text-text',
          // 24 px is the smallest size that WCAG allows. The negative margin makes it take up only the icon's
          // space.
          isIconOnly && '-m-1.25 size-6 justify-center',
          className,
        )}
      >
        {!isIconOnly && term}
        <CircleHelp aria-hidden="true" size={14} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={8} collisionPadding={16} className="z-40">
          <Popover.Popup className={popupClassName}>
            <Popover.Title className="font-semibold">{term}</Popover.Title>
            <Popover.Description render={<div />} className="mt-1 space-y-2 text-text-muted">
              {children}
            </Popover.Description>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const popupClassName = classNames(
  'w-72 max-w-[calc(100vw-2rem)] origin-(--transform-origin) rounded-md border border-line bg-surface-raised p-4',
  'text-sm text-text shadow-float outline-none transition-[transform,opacity]',
  'data-ending-style:scale-98 data-ending-style:opacity-0',
  'data-starting-style:scale-98 data-starting-style:opacity-0',
);
