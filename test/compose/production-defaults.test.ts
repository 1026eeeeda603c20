import { expect, it } from 'vitest';
import { type Ports, portsOf } from '../../src/compose/ports.ts';
import type { Configuration } from '../../src/config/settings.ts';
import type { Environment } from '../../src/platform/environment.ts';
import type { Files } from '../../src/platform/files.ts';

it('in production, a move that the table does not have makes one order disputed, and stops no read', () => {
  const given = { pino: {}, lockData: () => ({}), openDatabase: () => ({}) } as unknown;
  const settings = { server: {} } as Configuration['settings'];
  const ports = portsOf(
    given as Partial<Ports>,
    {} as Files,
    {} as Environment,
    {
      settings,
    } as Configuration,
  );
  expect(ports.onImpossible).toBe('dispute');
});
