import { expect, it } from 'vitest';
import { createWorkUnderWay } from '../../src/execution/ways-out.ts';

it('waits for what is under way, and for what is begun until that has ended', async () => {
  const { track, whenDone } = createWorkUnderWay();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void track(first.promise);
  let isOver = false;
  const done = whenDone().then(() => void (isOver = true));
  void track(second.promise);
  first.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  second.resolve();
  await done;
  expect(isOver).toBe(true);
});
