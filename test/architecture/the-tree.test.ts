import { beforeAll, describe, expect, it } from 'vitest';
import { type Cruised } from './support/cruise.ts';
import { cruiseRepository, unseen } from './support/tree.ts';

describe('the tree', () => {
  let cruised: Cruised;
  beforeAll(async () => {
    cruised = await cruiseRepository();
  });

  it('has no forbidden arrow', () => {
    expect(cruised.violations).toEqual([]);
  });

  it('was looked at whole', () => {
    expect(unseen(cruised)).toEqual([]);
  });

  it('is not called whole when a module was not looked at', () => {
    const imports = new Map(cruised.imports);
    imports.delete('src/execution/execution.ts');
    expect(unseen({ imports })).toEqual(['not seen: src/execution/execution.ts']);
    expect(unseen({ imports: new Map() })).toContain('only 0 modules seen');
  });

  // A rule that names a library by a path that it does not have would never speak.
  it.each([
    ['src/adapters/alt/sdk.ts', 'kiteconnect'],
    ['src/token-store/token-file.ts', 'lowdb'],
    ['src/routes/app.ts', 'express'],
    ['src/routes/openapi.ts', 'zod-openapi'],
    ['src/platform/http-transport.ts', 'undici'],
    ['src/platform/log.ts', 'pino'],
  ])('has %s import %s from where the rules look for it', (file, library) => {
    expect(cruised.imports.get(file)).toContainEqual(
      expect.stringMatching(new RegExp(`^node_modules/${library}/`)),
    );
  });

  it('has the database’s file import the runtime’s database', () => {
    expect(cruised.imports.get('src/platform/database.ts')).toContain('node:sqlite');
  });
});
