// Sets a chosen theme before the first paint. Without a choice the system's stands (styles/tokens.css).
// A file of its own because the Content-Security-Policy allows no inline script.
try {
  var theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's choice stands.
}
