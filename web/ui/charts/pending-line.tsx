export function PendingLine() {
  return (
    <svg aria-hidden="true" width="20" height="8" viewBox="0 0 20 8" className="shrink-0">
      <line x1="4" y1="4" x2="16" y2="4" stroke="currentColor" strokeWidth="1.5" opacity="0.45" />
      <circle cx="4" cy="4" r="2.5" fill="currentColor" className="animate-travel" />
    </svg>
  );
}
