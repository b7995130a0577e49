// How this browser shows pages: theme, speed of motion, sounds. A cookie keeps it. It is set before a page is drawn, so this
// file stands after the stylesheets and is no module. Buttons with `data-look` change it.
{
  const KEY = "atoll_look";
  const DARK = "(prefers-color-scheme: dark)";
  const root = document.documentElement;
  const written = new Map(); // the conditions of styles that hang on the system's theme
  const pages = new BroadcastChannel(KEY);
  let look = {};
  try {
    const kept = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${KEY}=`));
    look = JSON.parse(decodeURIComponent(kept?.slice(KEY.length + 1) ?? "")) ?? {};
  } catch {
    // nothing is kept
  }

  const conditional = (rules) => {
    for (const rule of rules) {
      if (rule.media?.mediaText.includes(DARK) && !written.has(rule)) written.set(rule, rule.media.mediaText);
      if (rule.cssRules) conditional(rule.cssRules);
    }
  };

  /** Let a theme of the page's own stand for the system's. */
  const setTheme = () => {
    const { theme } = look;
    if (!theme && !written.size) return;
    for (const sheet of document.styleSheets) conditional(sheet.cssRules);
    const stands = theme === "dark" ? "(min-width: 0px)" : "(max-width: 0px)"; // always, or never
    for (const [rule, text] of written) rule.media.mediaText = theme ? text.replace(DARK, stands) : text;
    root.style.colorScheme = theme ? (theme === "dark" ? "dark" : "light") : "";
  };

  const apply = () => {
    for (const name of ["theme", "motion", "sound"]) {
      if (look[name]) root.dataset[name] = look[name];
      else delete root.dataset[name];
    }
    setTheme();
    for (const button of document.querySelectorAll("[data-look]")) {
      const isChosen = (look[button.dataset.look] ?? "") === (button.dataset.to ?? "");
      button.setAttribute(button.getAttribute("role") === "switch" ? "aria-checked" : "aria-pressed", isChosen);
    }
  };

  root.dataset.scripts = "";
  apply();
  document.addEventListener("DOMContentLoaded", apply);
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-look]");
    if (!button) return;
    const { look: name, to = "" } = button.dataset;
    look[name] = button.getAttribute("role") === "switch" && !look[name] ? "off" : to;
    if (!look[name]) delete look[name];
    document.cookie = `${KEY}=${encodeURIComponent(JSON.stringify(look))}; path=/; max-age=31536000; samesite=lax`;
    pages.postMessage(look);
    apply();
  });
  pages.onmessage = ({ data }) => apply((look = data));
}
