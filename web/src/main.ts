import "@fontsource-variable/karla";
import "@fontsource-variable/league-spartan";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { startLanguage } from "./i18n/index.svelte";
import { startRouter } from "./router.svelte";
import { applySettings, followSystem } from "./settings/settings.svelte";

applySettings();
followSystem();
startRouter();
await startLanguage();

const target = document.getElementById("app");
if (target) mount(App, { target });
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/worker.js");
if (localStorage.getItem("atout.push"))
  void import("./settings/push").then(({ renewPush }) => renewPush().catch(() => undefined));
