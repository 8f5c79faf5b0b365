import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import type { ReactNode } from 'react';

/** What scanners need around a code, in its own squares. */
const QUIET = 4;

/** A link as a code to scan. */
export function LinkCode({ url, label }: { url: string; label: string }): ReactNode {
  const code = generate(url, { minCorrectionLevel: correction.M });
  const side = code.size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-45 rounded-sm bg-code-ground text-code"
    >
      <path d={toSvgPath(code)} fill="currentColor" />
    </svg>
  );
}
