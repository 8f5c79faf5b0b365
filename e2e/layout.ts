import { expect, type Page } from '@playwright/test';

/**
 * Expects that the page doesn't scroll sideways and that no word is broken in two. Text may overflow its box
 * only with an ellipsis or scrolling.
 */
export async function expectEverythingFits(page: Page, place: string): Promise<void> {
  // Poll, because floating elements move some time after the window is resized.
  await expect
    .configure({ soft: true })
    .poll(() => page.evaluate(findMisfits), { message: place, timeout: 5_000 })
    .toEqual([]);
}

type Edges = Pick<DOMRect, 'left' | 'right'>;

export function findMisfits(): string[] {
  const misfits: string[] = [];
  const boxes = new Map<Element, Edges | null>();
  const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (sideways > 0) misfits.push(`the page scrolls sideways by ${sideways} px`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (
      !parent ||
      text.textContent?.trim() === '' ||
      parent.closest('script, style, option, textarea, .sr-only')
    ) {
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, width } = range.getBoundingClientRect();
    if (width === 0) continue;
    const box = holderOf(parent);
    const slack = 1.5;
    if (box && (left < box.left - slack || right > box.right + slack)) {
      misfits.push(
        `"${text.textContent?.trim().slice(0, 40)}" (${parent.tagName.toLowerCase()}) reaches from ` +
          `${Math.round(left)} to ${Math.round(right)}, its box from ${Math.round(box.left)} to ${Math.round(box.right)}`,
      );
    }
    const brokenWord = findBrokenWord(range, parent);
    if (brokenWord !== null) misfits.push(`"${brokenWord}" is broken in two lines`);
    if (misfits.length >= 12) break;
  }
  return misfits;

  /** Returns a word of usual length with a line break inside. Addresses may break anywhere. */
  function findBrokenWord(whole: Range, parent: Element): string | null {
    if (isOnOneLine(whole) || getComputedStyle(parent).wordBreak === 'break-all') return null;
    const text = whole.startContainer;
    for (const { 0: word, index } of (text.textContent ?? '').matchAll(/(?<!\S)[A-Za-z]{2,20}(?!\S)/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (!isOnOneLine(range)) return word;
    }
    return null;
  }

  function isOnOneLine(range: Range): boolean {
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size <= 1;
  }

  /** Finds the box that must contain the element. Returns null if an ellipsis or scrolling handles the overflow. */
  function holderOf(element: Element | null): Edges | null {
    if (!element || element === document.body) {
      return { left: 0, right: document.documentElement.clientWidth };
    }
    const known = boxes.get(element);
    if (known !== undefined) return known;
    const own = ownBox(element) ?? holderOf(element.parentElement);
    const box = own === 'none' ? null : own;
    boxes.set(element, box);
    return box;
  }

  /** Returns null if the element has no edge. */
  function ownBox(element: Element): Edges | 'none' | null {
    const style = getComputedStyle(element);
    if (style.display === 'inline' || style.display === 'contents') return null;
    if (style.textOverflow === 'ellipsis' && style.overflowX !== 'visible') return 'none';
    if (style.overflowX === 'auto' || style.overflowX === 'scroll') return 'none';
    const hasEdge =
      style.borderRightWidth !== '0px' ||
      style.overflowX !== 'visible' ||
      style.backgroundColor !== 'rgba(0, 0, 0, 0)';
    if (!hasEdge) return null;
    const box = element.getBoundingClientRect();
    // Text for screen readers is one pixel wide.
    return box.width <= 1 ? 'none' : box;
  }
}
