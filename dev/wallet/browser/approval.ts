import { formatSol } from '#schema/rules/money/lamports.ts';
import { walletStyles } from './styles.ts';
import type { TransactionSummary } from './transaction.ts';
import type { ApprovalRequest } from './wallet.ts';

const titles: Readonly<Record<ApprovalRequest['kind'], string>> = {
  transaction: 'Approve this transaction?',
  message: 'Sign this message?',
  'sign-in': 'Sign in with this wallet?',
};

/**
 * Shows the user one request at a time. Like a real wallet's window, the dialog is separate from the page: it
 * is in an iframe, so that its clicks and key presses don't reach the page's own dialogs.
 */
export function createApprover(root: ShadowRoot): (request: ApprovalRequest) => Promise<boolean> {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const response = last.then(() => sendRequest({ root, request }));
    last = response;
    return response;
  };
}

function sendRequest({ root, request }: { root: ShadowRoot; request: ApprovalRequest }): Promise<boolean> {
  return new Promise((resolve) => {
    const frame = element('iframe', { title: 'Local Wallet' });
    const dialog = element('dialog', { 'aria-label': 'Local Wallet' }, frame);
    const previous = document.activeElement;

    function finish(isApproved: boolean): void {
      dialog.close();
      dialog.remove();
      if (previous instanceof HTMLElement) previous.focus();
      resolve(isApproved);
    }

    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      finish(false);
    });
    root.append(dialog);
    dialog.showModal();
    const page = frame.contentDocument;
    if (page === null || frame.contentWindow === null) return finish(false);
    page.documentElement.style.colorScheme = shownScheme(dialog);
    page.documentElement.lang = 'en';
    const sheet = new (frame.contentWindow as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(walletStyles);
    page.adoptedStyleSheets = [sheet];
    page.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') finish(false);
    });
    const approve = element(
      'button',
      { type: 'button', class: 'primary', onclick: () => finish(true) },
      'Approve',
    );
    const reject = element('button', { type: 'button', onclick: () => finish(false) }, 'Reject');
    page.body.className = 'approval';
    page.body.append(
      element(
        'main',
        {},
        element('h2', {}, titles[request.kind]),
        element('p', { class: 'muted' }, 'Local Wallet · local network'),
        ...describe(request),
      ),
      element('footer', {}, reject, approve),
    );
    approve.focus();
  });
}

/** Reads the page's theme from the dialog's computed background, because an iframe doesn't inherit it. */
function shownScheme(dialog: HTMLDialogElement): 'light' | 'dark' {
  const red = /\d+/.exec(getComputedStyle(dialog).backgroundColor)?.[0];
  return Number(red) < 128 ? 'dark' : 'light';
}

function describe(request: ApprovalRequest): HTMLElement[] {
  if (request.kind === 'transaction') return describeTransaction(request.summary);
  const text = element('pre', {}, request.text);
  if (request.kind === 'message' || !request.isForeignDomain) return [text];
  return [element('p', { class: 'warn' }, 'This message is for another site.'), text];
}

function describeTransaction({
  transfers,
  leaving,
  otherPrograms,
  paysFee,
}: TransactionSummary): HTMLElement[] {
  const recipients = transfers.map(({ to, lamports }) =>
    element('li', {}, element('b', {}, `${formatSol(lamports)} SOL`), ' to ', element('code', {}, to)),
  );
  const others = otherPrograms.map((program) => element('li', {}, 'Calls ', element('code', {}, program)));
  return [
    element('p', { class: 'leaving' }, leaving === 0n ? 'No SOL leaves' : `−${formatSol(leaving)} SOL`),
    ...(paysFee ? [element('p', { class: 'muted' }, 'plus the network fee')] : []),
    element('ul', {}, ...recipients, ...others),
  ];
}

type Child = Node | string;
type Attributes = Readonly<Record<string, string | EventListener>>;

/** Creates an element. Functions such as `onclick` become event listeners, texts become attributes. */
function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') made.setAttribute(name, value);
    else made.addEventListener(name.replace(/^on/, ''), value);
  }
  made.append(...children);
  return made;
}
