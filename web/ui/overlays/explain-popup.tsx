import { Popover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import { classNames } from '../class-names.ts';

export interface ExplainPopupProps {
  term: string;
  anchor: RefObject<HTMLButtonElement | null>;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
}

export function ExplainPopup({ term, anchor, open, onOpenChange, children }: ExplainPopupProps) {
  return (
    <Popover.Root
      open={open}
      onOpenChange={(isOpen, details: Popover.Root.ChangeEventDetails | undefined) => {
        const target = details?.event.target;
        // Ignore clicks on the button, because it toggles the popup itself.
        if (!(target instanceof Node && anchor.current?.contains(target))) onOpenChange(isOpen);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} sideOffset={8} collisionPadding={16} className="z-40">
          <Popover.Popup finalFocus={anchor} className={popupClassName}>
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
