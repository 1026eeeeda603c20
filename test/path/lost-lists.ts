import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Rig } from '../support/rig.ts';

export const PRIMARY_FILES = ['equity', 'fno', 'index'].map(
  (name) => `instruments-primary-${name}.jsonl`,
);

/** Both brokers' instrument lists cannot be had, and none is kept: as at a first start. */
export function loseLists(rig: Rig): void {
  refuseLists(rig);
  const kept = readdirSync(rig.dataDirectory).filter((name) => name.startsWith('instruments-'));
  expect(kept).toEqual(['instruments-alt.jsonl', ...PRIMARY_FILES]);
  for (const name of kept) rmSync(join(rig.dataDirectory, name));
}

export function refuseLists(rig: Rig): void {
  const lists = { times: 1_000, params: { status: 503 } };
  rig.sandbox.faults.add({
    broker: 'kite',
    kind: 'error_before',
    match: { path: '/instruments' },
    ...lists,
  });
  rig.sandbox.faults.add({
    broker: 'primary',
    kind: 'error_before',
    match: { path: '/market/instruments' },
    ...lists,
  });
}
