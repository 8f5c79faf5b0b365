// The browser part of the chat page: plain JavaScript, served unchanged.
const POLL_MS = 1500;
const HANDLE_KEY = 'local-telegram:handle';
const byId = (id) => document.getElementById(id);
const { payload, handle: wantedHandle } = byId('client').dataset;

let handle = wantedHandle || localStorage.getItem(HANDLE_KEY) || '';
let pendingPayload = payload;
let shown = '';

async function call(path, body) {
  const options =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/telegram/_chat/${path}`, options);
  if (!response.ok) throw new Error((await response.json()).error ?? response.statusText);
  return response.json();
}

function messageItem({ from, text, date, buttons }) {
  const item = document.createElement('li');
  item.className = from;
  const paragraph = document.createElement('p');
  for (const part of text.split(/(https?:\/\/\S+)/)) {
    paragraph.append(/^https?:/.test(part) ? link(part, part) : part);
  }
  const time = document.createElement('time');
  time.textContent = new Date(date * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  item.append(paragraph, ...buttons.map((button) => link(button.text, button.url, 'button')), time);
  return item;
}

function link(text, url, className = '') {
  const anchor = document.createElement('a');
  anchor.textContent = text;
  if (/^https?:/.test(url)) anchor.href = url;
  anchor.className = className;
  anchor.target = '_blank';
  anchor.rel = 'noopener';
  return anchor;
}

function show({ chat, messages }) {
  const isStarted = messages.length > 0 && !chat.isBlocked;
  byId('me').textContent = `@${handle}`;
  byId('block').hidden = !isStarted;
  byId('start').hidden = isStarted && pendingPayload === '';
  byId('start').textContent = chat?.isBlocked ? 'Unblock and start' : 'Start';
  byId('write-form').hidden = !byId('start').hidden;
  const version = JSON.stringify(messages.map(({ messageId }) => messageId));
  if (version === shown) return;
  shown = version;
  byId('messages').replaceChildren(...messages.map(messageItem));
  window.scrollTo({ top: document.body.scrollHeight });
}

async function refresh() {
  byId('who').hidden = handle !== '';
  byId('chat').hidden = handle === '';
  if (handle !== '') show(await call(`chat?handle=${encodeURIComponent(handle)}`));
}

function become(name) {
  handle = name.trim().replace(/^@/, '');
  localStorage.setItem(HANDLE_KEY, handle);
  shown = '';
  byId('status').textContent = '';
  return refresh();
}

async function act(path, body) {
  try {
    const { isDelivered, error } = await call(path, body);
    byId('status').textContent = isDelivered
      ? ''
      : `SolCallers hasn't accepted this yet (${error}). Retrying…`;
  } catch (error) {
    byId('status').textContent = String(error.message);
  }
  await refresh();
}

byId('who-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void become(byId('handle').value);
});
byId('leave').addEventListener('click', () => {
  handle = '';
  localStorage.removeItem(HANDLE_KEY);
  void refresh().then(() => byId('handle').focus());
});
byId('block').addEventListener('click', () => void act('block', { handle, isBlocked: true }));
byId('start').addEventListener('click', () => {
  const sent = pendingPayload;
  pendingPayload = '';
  void act('start', { handle, payload: sent });
});
byId('write-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = byId('text').value;
  byId('text').value = '';
  void act('write', { handle, text });
});

await refresh();
setInterval(() => handle !== '' && refresh().catch(() => {}), POLL_MS);
