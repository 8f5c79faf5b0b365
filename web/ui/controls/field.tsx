import { createContext, use, useId, useMemo, type ReactNode } from 'react';

interface FieldLinks {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

const FieldContext = createContext<FieldLinks | null>(null);

export function useFieldAttributes() {
  const field = use(FieldContext);
  return field
    ? { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.isInvalid || undefined }
    : {};
}

export interface FieldProps {
  label: ReactNode;
  isLabelHidden?: boolean | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

export function Field({ label, isLabelHidden = false, hint, error, className, children }: FieldProps) {
  const id = useId();
  const hasHint = hint !== undefined && hint !== null && hint !== false;
  const hasError = error !== undefined && error !== null && error !== false && error !== '';
  const describedBy =
    [hasHint && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const links = useMemo(() => ({ id, describedBy, isInvalid: hasError }), [id, describedBy, hasError]);
  return (
    <FieldContext value={links}>
      <div className={className}>
        <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
          {label}
        </label>
        {children}
        {hasHint && (
          <p id={`${id}-hint`} className="mt-1.5 text-xs text-text-muted">
            {hint}
          </p>
        )}
        <p id={`${id}-error`} role="alert" className={hasError ? 'mt-1.5 text-xs text-loss' : 'hidden'}>
          {hasError && error}
        </p>
      </div>
    </FieldContext>
  );
}
