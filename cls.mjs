import { chromium } from '@playwright/test';
const base = 'http://localhost:19687';
const callers = await (await fetch(base + '/api/callers')).json();
const busy = callers.toSorted((a, b) => b.endedCalls - a.endedCalls)[0];
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const c = await b.newContext({ viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1.75 });
const p = await c.newPage();
const s = await c.newCDPSession(p); await s.send('Network.enable'); await s.send('Network.emulateNetworkConditions', { offline: false, latency: 300, downloadThroughput: 184320, uploadThroughput: 86400 }); await s.send('Emulation.setCPUThrottlingRate', { rate: 2 });
await p.addInitScript(() => { window.sh = []; new PerformanceObserver((l) => { for (const e of l.getEntries()) window.sh.push({ v: e.value, t: Math.round(e.startTime), src: e.sources.map((x) => [(x.node?.nodeName + ' ' + (x.node?.className ?? x.node?.textContent)).slice(0, 90), (x.node?.textContent ?? '').slice(0, 40), x.previousRect.y + '>' + x.currentRect.y, x.previousRect.height + '>' + x.currentRect.height]) }); }).observe({ type: 'layout-shift', buffered: true }); });
await p.goto(base + '/caller/' + busy.id); await p.waitForTimeout(12000);
console.log(JSON.stringify(await p.evaluate(() => window.sh), null, 1));
for (const w of [320, 390]) for (const path of ['/', '/recent-calls', '/caller/' + busy.id]) { const q = await b.newPage({ viewport: { width: w, height: 844 } }); await q.goto(base + path); await q.waitForTimeout(2500); console.log(w, path, await q.evaluate(() => { const d = document.documentElement; const out = [...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && e.getBoundingClientRect().width > 0).slice(0, 4).map((e) => e.className + '|' + e.textContent.slice(0, 30)); return [d.scrollWidth - d.clientWidth, out]; })); await q.screenshot({ path: `/tmp/w/s8/pictures/wire/at-${w}-${path.split('/')[1] || 'directory'}.png` }); await q.close(); }
await b.close();
