import { Menu as Base } from '@base-ui/react/menu';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { classNames } from '../class-names.ts';

const popupClassName = classNames(
  'max-w-[calc(100vw-2rem)] min-w-56 origin-(--transform-origin) rounded-md border border-line bg-surface-raised p-1',
  'text-text shadow-float outline-none transition-[transform,opacity]',
  'data-ending-style:scale-98 data-ending-style:opacity-0',
  'data-starting-style:scale-98 data-starting-style:opacity-0',
);

export interface MenuProps {
  label: string;
  trigger: ReactNode;
  triggerClassName?: string | undefined;
  children: ReactNode;
}

export function Menu({ label, trigger, triggerClassName, children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger
        aria-label={label}
        className={classNames(
          'inline-flex min-h-11 min-w-11 items-center justify-center rounded-md',
          triggerClassName,
        )}
      >
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={8} align="end" className="z-40 outline-none">
          <Base.Popup className={popupClassName}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const itemClassName =
  'flex min-h-11 w-full items-center gap-3 rounded-sm px-3 text-sm -outline-offset-2 select-none data-highlighted:bg-surface-hover';

/** A menu link. `render` replaces its anchor with a router link. */
export function MenuLink({
  render,
  className,
  ...rest
}: ComponentProps<'a'> & { render?: ReactElement | undefined }) {
  return (
    <Base.LinkItem
      {...rest}
      {...(render ? { render } : {})}
      closeOnClick
      className={classNames(itemClassName, className)}
    />
  );
}

export function MenuHeader({ children }: { children: ReactNode }) {
  return <div className="px-3 py-2 text-sm">{children}</div>;
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
