import { vi } from 'vitest';

/**
 * Replaces canvases with fakes that record colours and texts. Elements measure 600 × 256 px, because the test DOM has
 * no layout.
 */
export function stubCanvas(): { readonly colours: readonly string[]; readonly texts: readonly string[] } {
  const colours: string[] = [];
  const texts: string[] = [];
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 256));
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(256);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    return createContext(this, colours, texts) as unknown as null;
  });
  return { colours, texts };
}

function createContext(canvas: HTMLCanvasElement, colours: string[], texts: string[]) {
  let pixel = [0, 0, 0, 255];
  const known: Record<string, unknown> = {
    canvas,
    measureText: (text: string) => ({
      width: text.length * 7,
      actualBoundingBoxAscent: 8,
      actualBoundingBoxDescent: 2,
    }),
    getContextAttributes: () => ({}),
    getImageData: () => ({ data: pixel }),
    createLinearGradient: () => ({ addColorStop: () => undefined }),
    fillText: (text: string) => texts.push(text),
  };
  return new Proxy(known, {
    get: (target, name: string) => (name in target ? target[name] : () => undefined),
    set(target, name: string, value: unknown) {
      target[name] = value;
      if (name !== 'fillStyle' && name !== 'strokeStyle') return true;
      const channels = /^rgba?\((\d+), ?(\d+), ?(\d+)/.exec(String(value))?.slice(1).map(Number);
      if (channels) pixel = [...channels, 255];
      colours.push(
        channels
          ? `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
          : String(value),
      );
      return true;
    },
  });
}
