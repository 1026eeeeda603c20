import { describe, expect, it } from 'vitest';
import { hasDisplay } from '../../cli/browser.ts';

const AT_DESK = {
  isTerminal: true,
  platform: 'linux',
  environment: { DISPLAY: ':0' } as Record<string, string>,
};

describe('a page is opened without being asked for', () => {
  it.each([
    ['in a terminal with an X display', AT_DESK],
    ['with a Wayland display', { ...AT_DESK, environment: { WAYLAND_DISPLAY: 'wayland-0' } }],
    ['on macOS', { ...AT_DESK, platform: 'darwin', environment: {} }],
    ['on Windows', { ...AT_DESK, platform: 'win32', environment: {} }],
  ])('%s', (_, given) => {
    expect(hasDisplay(given)).toBe(true);
  });

  it.each([
    ['where nobody watches the output', { ...AT_DESK, isTerminal: false }],
    ['without a display', { ...AT_DESK, environment: {} }],
    ['with an empty one', { ...AT_DESK, environment: { DISPLAY: '' } }],
    ['on another machine', { ...AT_DESK, environment: { DISPLAY: ':0', SSH_CONNECTION: 'a b' } }],
    ['in CI', { ...AT_DESK, platform: 'darwin', environment: { CI: 'true' } }],
  ])('not %s', (_, given) => {
    expect(hasDisplay(given)).toBe(false);
  });
});
