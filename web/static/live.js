// The only script of our own: swaps the fragments the server has drawn, says when the page is behind, and sends
// forms without leaving the page. Without it every page still works by itself.
"use strict";
(() => {
  const body = document.body;
  const words = body.dataset;
  const language = document.documentElement.lang;
  const live = document.querySelector("[data-live]");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const held = new Map(); // fragments that wait because a finger or the focus is on them
  const later = new Set(); // doubts put aside on this screen
  let version = Number(words.version);
  let lastHeard = performance.now();
  let pressed = null;

  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // ---- saying things ------------------------------------------------------------------------------------------
  const stale = $("#stale");
  function behind(sentence) {
    if (sentence && stale.textContent !== sentence) stale.textContent = sentence;
    stale.hidden = !sentence;
    document.documentElement.classList.toggle("is-stale", Boolean(sentence));
  }
  let toastTimer = 0;
  function toast(sentence, bad) {
    const box = $("#toast");
    box.textContent = sentence;
    box.className = bad ? "shown bad" : "shown";
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => { box.className = ""; }, bad ? 8000 : 4000);
  }

  // ---- swapping -----------------------------------------------------------------------------------------------
  const isHeld = (node) =>
    (pressed && node.contains(pressed)) ||
    (node.contains(document.activeElement) && document.activeElement !== body &&
     document.activeElement.matches("input:not([type=checkbox]), select, textarea, :focus-visible"));

  function parse(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  }

  // What somebody has opened stays open in what takes its place.
  function opened(old, fresh) {
    all("details[open][id]", old).forEach((d) => $(`#${CSS.escape(d.id)}`, fresh)?.setAttribute("open", ""));
    return fresh;
  }

  // Parts of a list are swapped one by one, so that one that is held does not hold up its neighbours.
  function swapList(box, html) {
    const fresh = parse(html);
    const parts = [...fresh.children];
    if (parts.some((part) => !part.dataset.part)) { box.innerHTML = html; return true; }
    let whole = true;
    const keep = new Set(parts.map((part) => part.dataset.part));
    [...box.childNodes].forEach((old) => {
      if (old.nodeType === 1 && keep.has(old.dataset.part)) return;
      if (old.nodeType === 1 && isHeld(old)) { whole = false; return; }
      old.remove();
    });
    parts.forEach((part, index) => {
      const old = [...box.children].find((child) => child.dataset.part === part.dataset.part);
      if (old && old.outerHTML !== part.outerHTML) {
        if (isHeld(old)) { whole = false; } else { old.replaceWith(opened(old, part)); }
      } else if (!old) {
        box.insertBefore(part, box.children[index] || null);
      }
    });
    return whole;
  }

  function swap(name, html) {
    const box = $(`[data-fragment="${name}"]`);
    if (!box) return;
    const done = "list" in box.dataset ? swapList(box, html) : !isHeld(box) && (box.replaceChildren(opened(box, parse(html))), true);
    if (done) held.delete(name); else held.set(name, html);
  }

  const keys = () => new Map(all("[data-k]").map((node) => [node.dataset.k, node]));

  function swapAll(fragments, animate) {
    const before = keys();
    Object.entries(fragments).forEach(([name, html]) => swap(name, html));
    if (fragments.seats) {
      const seats = $("#seats");
      if (seats) seats.dataset.count = all(".seat, .angler", seats).length;
    }
    all("[data-part]").forEach((node) => node.classList.toggle("put-aside", later.has(node.dataset.part)));
    settle();
    listen(animate);
    if (!animate || calm.matches) return;
    const after = keys();
    after.forEach((node, key) => { if (!before.has(key)) node.classList.add("is-new"); });
    before.forEach((node, key) => {
      const slot = !after.has(key) && $(`[data-slot="${CSS.escape(key)}"]`);
      if (!slot) return;
      const ghost = node.cloneNode(true);
      ghost.removeAttribute("data-k");
      ghost.className = `${node.className.replace("is-new", "")} is-gone`;
      ghost.addEventListener("animationend", () => ghost.remove());
      slot.append(ghost);
    });
  }

  // A provisional verdict becomes final by time alone.
  function settle() {
    all("[data-settles]").forEach((badge) => {
      setTimeout(() => {
        badge.textContent = badge.dataset.settled;
        badge.className = badge.className.replace("verdict-open", "verdict-final");
      }, Number(badge.dataset.settles));
      delete badge.dataset.settles;
    });
  }

  // ---- sounds -------------------------------------------------------------------------------------------------
  // An element that asks for a sound is heard once; what was there when the page was opened is not.
  const cues = JSON.parse(words.sounds || "{}");
  const heard = new Set();
  const speaker = $("#sound");
  const tv = document.documentElement.classList.contains("tv");
  let audio = null;
  let wanted = tv;
  try { wanted = (localStorage.getItem("sounds") || (tv ? "on" : "off")) === "on"; } catch { /* private window */ }

  const audible = () => wanted && audio?.state === "running";
  function tellSpeaker() {
    if (!speaker) return;
    speaker.hidden = !window.AudioContext;
    speaker.setAttribute("aria-pressed", String(Boolean(audible())));
  }
  function wake() { // browsers allow sound only after a tap
    if (!wanted || !window.AudioContext) return;
    audio ||= new AudioContext();
    audio.resume().then(tellSpeaker).catch(() => {});
  }
  function play(name) {
    if (!audible() || !cues[name]) return;
    for (const [hertz, from, long] of cues[name]) {
      const begin = audio.currentTime + from / 1000, end = begin + long / 1000;
      const tone = audio.createOscillator(), loud = audio.createGain();
      tone.type = "triangle";
      tone.frequency.value = hertz;
      loud.gain.setValueAtTime(0, begin);
      loud.gain.linearRampToValueAtTime(.25, begin + .012);
      loud.gain.setValueAtTime(.25, Math.max(end - .05, begin + .012));
      loud.gain.linearRampToValueAtTime(0, end);
      tone.connect(loud).connect(audio.destination);
      tone.start(begin);
      tone.stop(end);
    }
    body.dataset.played = name;
  }
  function listen(aloud) {
    for (const node of all("[data-sound]")) {
      if (heard.has(node.dataset.soundKey)) continue;
      heard.add(node.dataset.soundKey);
      if (aloud) play(node.dataset.sound);
    }
  }
  listen(false);
  settle();
  tellSpeaker();
  addEventListener("pointerdown", (event) => { if (!speaker?.contains(event.target)) wake(); });
  speaker?.addEventListener("click", () => {
    wanted = !audible();
    try { localStorage.setItem("sounds", wanted ? "on" : "off"); } catch { /* private window */ }
    wake();
    tellSpeaker();
  });

  const compassHolder = () => $(".has-compass")?.dataset.part;

  async function show(fragments, animate) {
    const picture = fragments.picture && /data-preload="([^"]+)"/.exec(fragments.picture);
    if (picture) {
      const image = new Image();
      image.src = picture[1].replaceAll("&amp;", "&");
      await image.decode().catch(() => {});
    }
    const travels = fragments.seats && animate && !calm.matches && document.startViewTransition && !pressed &&
      !document.hidden && parse(fragments.seats).querySelector(".has-compass")?.dataset.part !== compassHolder();
    if (travels) {
      const transition = document.startViewTransition(() => swapAll(fragments, true));
      for (const part of [transition.ready, transition.finished]) part.catch(() => {}); // a newer one took its place
      await transition.updateCallbackDone;
    } else swapAll(fragments, animate);
  }

  // This machine has another address than when the page was opened: how to join is drawn anew.
  async function join(address) {
    const box = $(".join");
    if (!box || !address || box.dataset.address === address) return;
    try {
      const fresh = $(".join", parse(await (await fetch(location.href)).text()));
      if (fresh) box.replaceWith(fresh);
    } catch { /* the next heartbeat tries again */ }
  }

  let queue = Promise.resolve();
  function receive(message, animate = true) {
    if (message.build !== words.build || message.game !== live.dataset.game) { location.reload(); return; }
    version = message.version;
    lastHeard = performance.now();
    behind("");
    body.dataset.shown = version;
    queue = queue.then(() => show(message.fragments, animate)).then(() => { body.dataset.drawn = message.version; })
      .catch((error) => console.error(error));
  }

  const release = () => { if (held.size) { const waiting = Object.fromEntries(held); setTimeout(() => swapAll(waiting, true)); } };
  addEventListener("pointerdown", (event) => { pressed = event.target; });
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => { pressed = null; setTimeout(release, 50); });
  addEventListener("focusout", () => setTimeout(release));

  // ---- the stream ---------------------------------------------------------------------------------------------
  const beat = Number(words.heartbeat) * 1000;
  let source = null;
  let polling = 0;

  async function look() {
    try {
      const answer = await fetch(`/api/fragments?lang=${language}`, { headers: { Accept: "application/json" } });
      if (answer.ok) receive(await answer.json());
    } catch { behind(words.sayStale); }
  }

  function connect() {
    if (!live || document.hidden || source) return;
    source = new EventSource(`/events?lang=${language}`);
    let first = true;
    source.addEventListener("page", (event) => { receive(JSON.parse(event.data), !first || Boolean(body.dataset.drawn)); first = false; });
    source.addEventListener("beat", (event) => {
      const message = JSON.parse(event.data);
      if (message.build !== words.build) location.reload();
      join(message.address);
      lastHeard = performance.now();
      behind("");
    });
    source.addEventListener("open", () => { clearInterval(polling); polling = 0; });
    source.addEventListener("error", () => {
      behind(words.sayStale);
      if (source?.readyState !== EventSource.CLOSED) return;
      source = null; // refused: too many screens, or the companion is starting
      if (!polling) polling = setInterval(() => { look(); if (!source && !document.hidden) connect(); }, 5000);
      toast(words.sayMany);
    });
  }
  function disconnect() { source?.close(); source = null; }

  if (live) {
    connect();
    setInterval(() => {
      if (document.hidden || polling || performance.now() - lastHeard < 2.5 * beat) return;
      behind(words.sayStale);
      disconnect();
      lastHeard = performance.now();
      connect();
    }, 1000);
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) disconnect();
      else { behind(words.sayStale); connect(); }
    });
    addEventListener("pagehide", disconnect);
    addEventListener("pageshow", (event) => { if (event.persisted) { disconnect(); connect(); } });
  }

  // ---- forms and small switches -------------------------------------------------------------------------------
  const post = (form, data) => fetch(form.action, {
    method: "POST", body: new URLSearchParams(data), headers: { Accept: "application/json" },
  });

  // A slap on the screen counts when the finger comes down, and is let go when it leaves.
  const down = new Map();
  addEventListener("pointerdown", (event) => {
    const form = event.target.closest(".edge");
    if (!live || !form) return;
    form.dataset.touched = "1";
    down.set(event.pointerId, [form, send(form, new FormData(form))]);
  });
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, (event) => lift(event.pointerId));
  // With a keyboard the digits are the seats' buttons, while those are unfolded. A key held down is one press.
  const typing = (target) => target.matches("input, select, textarea");
  addEventListener("keydown", (event) => {
    const form = live && !event.repeat && !event.ctrlKey && !event.altKey && !event.metaKey && !typing(event.target) &&
      $(`#slaps[open] .edge[data-key="${CSS.escape(event.key)}"]`);
    if (form) down.set(event.code, [form, send(form, new FormData(form))]);
  });
  addEventListener("keyup", (event) => lift(event.code));
  async function lift(finger) {
    const [form, sent] = down.get(finger) || [];
    if (!form) return;
    down.delete(finger);
    await letGo(form, sent);
  }
  async function letGo(form, sent) {
    await sent;
    await new Promise((done) => setTimeout(done, 30)); // shorter than this is a glitch and not a finger
    const data = new FormData(form);
    data.set("command", form.dataset.release);
    await send(form, data);
  }
  async function send(form, data) {
    try {
      const answer = await post(form, data);
      const said = await answer.json();
      if (!answer.ok && said.sentence) toast(said.sentence, true);
    } catch { toast(words.sayOffline, true); }
  }

  addEventListener("submit", async (event) => {
    const form = event.target;
    if (!live || !form.matches(".ask, .answers")) return;
    event.preventDefault();
    const button = event.submitter;
    if (form.matches(".edge")) { // by the keyboard; a finger has been heard already
      if (form.dataset.touched) delete form.dataset.touched;
      else letGo(form, send(form, new FormData(form)));
      return;
    }
    if (form.dataset.busy) return;
    form.dataset.busy = "1";
    try {
      const answer = await post(form, new FormData(form, button));
      const said = await answer.json();
      if (said.sentence) toast(said.sentence, !answer.ok);
      if (answer.status === 409) look();
    } catch { toast(words.sayOffline, true); }
    delete form.dataset.busy;
    button?.blur();
    release();
  });

  addEventListener("click", (event) => {
    const aside = event.target.closest("[data-later]");
    if (!aside) return;
    const part = aside.dataset.later;
    if (later.has(part)) later.delete(part); else later.add(part);
    $(`[data-part="${CSS.escape(part)}"]`)?.classList.toggle("put-aside", later.has(part));
    aside.blur();
  });

  const overlay = $("#overlay");
  if (overlay) {
    try { overlay.checked = localStorage.getItem("overlay") !== "off"; } catch { /* private window */ }
    overlay.addEventListener("change", () => {
      try { localStorage.setItem("overlay", overlay.checked ? "on" : "off"); } catch { /* private window */ }
    });
  }
})();
