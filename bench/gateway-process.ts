import { compose } from '../src/compose.ts';
import { systemEnvironment } from '../src/platform/environment.ts';

/** A gateway in a process of its own, so that its memory is nobody else's. */
const composed = await compose({ environment: systemEnvironment });
const { url } = await composed.listen();
process.on('message', () => {
  process.send?.({ residentBytes: process.memoryUsage().rss });
});
process.send?.(url);
