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

export function findMisfits(): string[] {
  const misfits: string[] = [];
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
    const brokenWord = findBrokenWord(text, parent);
    if (brokenWord !== null) misfits.push(`"${brokenWord}" is broken in two lines`);
    if (misfits.length >= 12) break;
  }
  return misfits;

  /** Returns a word of usual length with a line break inside. Addresses may break anywhere. */
  function findBrokenWord(node: Node, parent: Element): string | null {
    if (getComputedStyle(parent).wordBreak === 'break-all') return null;
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(/(?<!\S)[A-Za-z]{2,20}(?!\S)/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) return word;
    }
    return null;
  }

  /** Finds the box that must contain the element. Returns null if an ellipsis or scrolling handles the overflow. */
  function holderOf(element: Element): { left: number; right: number } | null {
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display === 'inline' || style.display === 'contents') continue;
      if (style.textOverflow === 'ellipsis' && style.overflowX !== 'visible') return null;
      if (style.overflowX === 'auto' || style.overflowX === 'scroll') return null;
      const hasEdge =
        style.borderRightWidth !== '0px' ||
        style.overflowX !== 'visible' ||
        style.backgroundColor !== 'rgba(0, 0, 0, 0)';
      if (!hasEdge) continue;
      const box = at.getBoundingClientRect();
      // Text for screen readers is one pixel wide.
      return box.width <= 1 ? null : box;
    }
    return { left: 0, right: document.documentElement.clientWidth };
  }
}
