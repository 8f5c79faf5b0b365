import { Check, Copy } from '../icons.tsx';
import { useEffect, useState } from 'react';
import { SECOND_MS } from '#schema/constants/time.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { classNames } from '../class-names.ts';

export interface AddressProps {
  value: string;
  /** The noun in the copy button's label, such as 'mint' or 'wallet address'. */
  label?: string | undefined;
  isFull?: boolean | undefined;
  className?: string | undefined;
}

export function Address({ value, label = 'address', isFull = false, className }: AddressProps) {
  const [hasCopied, setHasCopied] = useState(false);
  useEffect(() => {
    if (!hasCopied) return undefined;
    const timer = setTimeout(() => setHasCopied(false), 2 * SECOND_MS);
    return () => clearTimeout(timer);
  }, [hasCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setHasCopied(true);
    } catch {
      // The browser denied clipboard access, so the button does nothing.
    }
  };
  const Icon = hasCopied ? Check : Copy;
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center font-mono text-xs text-text-muted',
        className,
      )}
    >
      <span title={value} className={isFull ? 'break-all' : 'whitespace-nowrap'}>
        {isFull ? value : shortenAddress(value)}
      </span>
      <button
        type="button"
        aria-label={`Copy ${label}`}
        onClick={() => void copy()}
        className="-my-3 inline-flex size-11 shrink-0 items-center justify-center rounded-sm hover:text-text print:hidden"
      >
        <Icon size={14} />
      </button>
      {/*
       * Doesn't use `aria-live`, because an open dialog doesn't hide live regions outside of it from screen
       * readers.
       */}
      <span role="status" className="sr-only">
        {hasCopied ? 'Copied' : ''}
      </span>
    </span>
  );
}
