import type { Sight } from './sight.ts';

/** As the browser tells it. */
export const systemSight: Sight = {
  isSeen: () => document.visibilityState !== 'hidden',
  onChange(listener) {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};
