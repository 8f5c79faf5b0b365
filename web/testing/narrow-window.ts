import { vi } from 'vitest';

/** Makes the window as narrow as a phone's, until the test ends. */
export function narrowWindow(): void {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}
