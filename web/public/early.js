// Runs before the first paint. A separate file, because the Content-Security-Policy allows no inline scripts.

try {
  // Without a choice, styles/tokens.css follows the system.
  var theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  // Somebody has signed in here. The page's HTML is for visitors, so hide its buttons until the app knows the user.
  if (localStorage.getItem('solcallers.user')) document.documentElement.dataset.unsettled = '';
} catch {
  // Storage is blocked.
}

// Keeps clicks and input until the app has started (lib/early-events.ts).
window.earlyEvents = [];
['click', 'input'].forEach(function (type) {
  var kept;
  addEventListener(
    type,
    function (event) {
      var target = event.target;
      kept = { type, target, value: target.value, checked: target.checked };
      if (window.earlyEvents) window.earlyEvents.push(kept);
    },
    true,
  );
  // React has had its chance by now. It marks the elements that it handles.
  addEventListener(type, function () {
    kept.isHandled = /__react/.test(Object.keys(kept.target));
  });
});
