import type { BrowserContext } from '@playwright/test';

export interface DetectorOptions {
  /** Origins that pages may load from, navigate to and open in windows. */
  readonly origins: readonly string[];
}

/**
 * Watches all pages that the context opens from now on. Returns a list that grows when somebody else's script
 * or markup takes effect: calls of `xss()`, dialogs, new windows, requests to other origins, violations of the
 * Content-Security-Policy, and scripts, frames, event handlers or script URLs in the DOM. Server errors are
 * listed, too.
 */
export async function detectScripts(
  context: BrowserContext,
  { origins }: DetectorOptions,
): Promise<readonly string[]> {
  const hits: string[] = [];
  const isOwn = (url: string) => !/^https?:/.test(url) || origins.includes(new URL(url).origin);
  await context.exposeBinding('xss', ({ page }, what: unknown) => {
    hits.push(`ran: ${String(what)} (${page.url()})`);
  });
  await context.exposeBinding('reportMarkup', ({ page }, what: string) => {
    hits.push(`markup: ${what} (${page.url()})`);
  });
  context.on('dialog', (dialog) => {
    hits.push(`dialog: ${dialog.message()} (${dialog.page()?.url()})`);
    void dialog.dismiss();
  });
  context.on('page', async (page) => {
    const opener = await page.opener();
    if (opener !== null && !isOwn(page.url())) hits.push(`window: ${page.url()} (${opener.url()})`);
  });
  context.on('request', (request) => {
    if (!isOwn(request.url())) hits.push(`request: ${request.url()} (${request.frame().page().url()})`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500 && isOwn(response.url())) {
      hits.push(`status ${response.status()}: ${response.request().method()} ${response.url()}`);
    }
  });
  await context.addInitScript(watchMarkup);
  return hits;
}

/** Runs in every document, before the document's own scripts. */
function watchMarkup(): void {
  const report = (what: string) =>
    void (window as unknown as { reportMarkup: (what: string) => Promise<void> }).reportMarkup(what);
  const urlNames = new Set(['href', 'src', 'action', 'formaction', 'data', 'xlink:href', 'poster']);
  const forbidden = new Set(['iframe', 'frame', 'object', 'embed', 'base', 'applet']);

  const isOwnFile = (src: string | null) =>
    src !== null && URL.parse(src, location.href)?.origin === location.origin;
  const isScriptUrl = (value: string) => {
    const url = URL.parse(value, location.href);
    return (
      /^(?:javascript|vbscript|blob):$/.test(url?.protocol ?? '') || /^data:(?!image\/)/.test(url?.href ?? '')
    );
  };
  const inspect = (element: Element) => {
    const tag = element.localName;
    if (forbidden.has(tag)) report(`<${tag}>`);
    const isData = element.getAttribute('type') === 'application/json';
    if (tag === 'script' && !isData && !isOwnFile(element.getAttribute('src'))) {
      report(element.outerHTML.slice(0, 200));
    }
    if (tag === 'meta' && element.getAttribute('http-equiv') !== null) report(element.outerHTML);
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || name === 'srcdoc') report(`<${tag} ${name}>`);
      if (urlNames.has(name) && isScriptUrl(value)) report(`<${tag} ${name}="${value}">`);
    }
  };
  const inspectAll = (node: Node) => {
    if (!(node instanceof Element)) return;
    inspect(node);
    for (const element of node.querySelectorAll('*')) inspect(element);
  };
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    report(`CSP ${effectiveDirective} ${blockedURI}`),
  );
  // The pages of the stand-ins have event handlers of their own.
  if (location.pathname.startsWith('/x/') || location.pathname.startsWith('/telegram/')) return;
  new MutationObserver((records) => {
    for (const { target, addedNodes, type } of records) {
      if (type === 'attributes' && target instanceof Element) inspect(target);
      addedNodes.forEach(inspectAll);
    }
  }).observe(document, { childList: true, subtree: true, attributes: true });
}
