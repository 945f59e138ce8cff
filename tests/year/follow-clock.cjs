'use strict';
/**
 * Loaded into each Node process of a year (`--require`): when the clock of the world jumps, timers of a second or more
 * that were due on the way fire, once each, and `performance.now()` jumps too, as after a real hour. Shorter timers, and
 * those inside Node, keep to the time that really passes.
 */
const { AsyncResource } = require('node:async_hooks');
const { syncBuiltinESMExports } = require('node:module');
const timers = require('node:timers');
const promises = require('node:timers/promises');
const { promisify } = require('node:util');

const shortestMs = 1_000;
const lookMs = 20;

const native = { ...timers };
const nativeDelay = promises.setTimeout;
/** What waits, by its timer of Node: when it is due by the clock, and what to do then. */
const waiting = new Map();

function follow(timer, { ms, again, run }) {
  const entry = { dueAt: Date.now() + ms, ms, again, run };
  waiting.set(timer, entry);
  const refresh = timer.refresh.bind(timer);
  timer.refresh = () => {
    entry.dueAt = Date.now() + ms;
    waiting.set(timer, entry);
    return refresh();
  };
  return timer;
}

function setTimeoutOnClock(callback, ms = 1, ...args) {
  if (!(ms >= shortestMs)) return native.setTimeout(callback, ms, ...args);
  const run = AsyncResource.bind(() => callback(...args));
  const timer = native.setTimeout(() => {
    waiting.delete(timer);
    run();
  }, ms);
  return follow(timer, { ms, again: false, run });
}

function setIntervalOnClock(callback, ms = 1, ...args) {
  if (!(ms >= shortestMs)) return native.setInterval(callback, ms, ...args);
  const run = AsyncResource.bind(() => callback(...args));
  const entry = { ms, again: true, run };
  const timer = native.setInterval(() => {
    waiting.get(timer).dueAt = Date.now() + ms;
    run();
  }, ms);
  return follow(timer, entry);
}

function clear(timer) {
  waiting.delete(timer);
  native.clearTimeout(timer);
}

function delayOnClock(ms = 1, value, { signal, ref = true } = {}) {
  if (!(ms >= shortestMs)) return nativeDelay(ms, value, { signal, ref });
  return new Promise((resolve, reject) => {
    const abort = () => {
      clear(timer);
      const error = new Error('The operation was aborted', { cause: signal.reason });
      reject(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }));
    };
    const timer = setTimeoutOnClock(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    }, ms);
    if (!ref) timer.unref();
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Fires what the clock has passed, in its order. */
function catchUp() {
  const now = Date.now();
  const due = [...waiting].filter(([, { dueAt }]) => dueAt <= now).sort(([, a], [, b]) => a.dueAt - b.dueAt);
  for (const [timer, { again, run }] of due) {
    // Another one may have cleared it.
    if (!waiting.has(timer) || timer._destroyed) {
      waiting.delete(timer);
      continue;
    }
    if (again) timer.refresh();
    else clear(timer);
    run();
  }
}

/** Milliseconds that only this clock shows. */
let jumpedMs = 0;
const passedMs = performance.now.bind(performance);
performance.now = () => passedMs() + jumpedMs;

/** Of the clock, without what has passed. */
const aheadMs = () => Date.now() - passedMs();
let lastAheadMs = aheadMs();
native
  .setInterval(() => {
    const ahead = aheadMs();
    if (ahead - lastAheadMs < shortestMs) return;
    jumpedMs += ahead - lastAheadMs;
    lastAheadMs = ahead;
    catchUp();
  }, lookMs)
  .unref();

setTimeoutOnClock[promisify.custom] = delayOnClock;
promises.setTimeout = delayOnClock;
for (const [name, hooked] of Object.entries({
  setTimeout: setTimeoutOnClock,
  setInterval: setIntervalOnClock,
  clearTimeout: clear,
  clearInterval: clear,
})) {
  timers[name] = hooked;
  globalThis[name] = hooked;
}
syncBuiltinESMExports();
