// Headless Chromium with WebGL in software, and a page whose errors count.
import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** `CHROMIUM` names another one. */
export function launch(extra = []) {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));
  if (!executablePath) throw new Error('no Chromium: install it, or name it with CHROMIUM=…');
  const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', ...extra];
  return puppeteer.launch({ executablePath, headless: true, args, protocolTimeout: 900_000 });
}

/** A page of this size; `errors` collects what it throws or logs as an error. */
export async function open(browser, url, { width = 1280, height = 800, features = [] } = {}) {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.setViewport({ width, height, isMobile: width < 500, hasTouch: width < 500 });
  if (features.length > 0) await page.emulateMediaFeatures(features);
  await page.goto(url, { waitUntil: 'load' });
  return { page, errors };
}

/** Waits until the page is ready to be used. */
export function ready(page) {
  return page.waitForFunction(() => window.playground?.walk.character, { timeout: 120_000 });
}
