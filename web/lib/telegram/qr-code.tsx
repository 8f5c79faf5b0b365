import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import type { ReactNode } from 'react';

/** The quiet zone that scanners need, in modules. */
const QUIET_ZONE = 4;

export function QrCode({ url, label }: { url: string; label: string }): ReactNode {
  const code = generate(url, { minCorrectionLevel: correction.M });
  const side = code.size + 2 * QUIET_ZONE;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-45 rounded-sm bg-code-ground text-code"
    >
      <path d={toSvgPath(code)} fill="currentColor" />
    </svg>
  );
}
