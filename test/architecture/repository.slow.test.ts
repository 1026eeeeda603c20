import { beforeAll, describe, expect, it } from 'vitest';
import { type Cruised } from './support/cruise.ts';
import { cruiseRepository, unseen } from './support/tree.ts';

describe('the repository', () => {
  let cruised: Cruised;
  beforeAll(async () => {
    cruised = await cruiseRepository();
    // Seconds on a free machine; what else the machine does must not decide.
  }, 120_000);

  it('has no forbidden import', () => {
    expect(cruised.violations).toEqual([]);
  });

  it('was checked whole', () => {
    expect(unseen(cruised)).toEqual([]);
  });

  it('is reported when a module was not checked', () => {
    const imports = new Map(cruised.imports);
    imports.delete('src/execution/execution.ts');
    expect(unseen({ imports })).toEqual(['not seen: src/execution/execution.ts']);
    expect(unseen({ imports: new Map() })).toContain('only 0 modules seen');
  });

  // A rule that names a library by a wrong path would never report anything.
  it.each([
    ['src/adapters/alt/sdk.ts', 'kiteconnect'],
    ['src/token-store/token-file.ts', 'lowdb'],
    ['src/routes/app.ts', 'express'],
    ['src/routes/openapi.ts', 'zod-openapi'],
    ['src/platform/http-transport.ts', 'undici'],
    ['src/platform/log.ts', 'pino'],
  ])('resolves the import in %s of %s to the path that the rules name', (file, library) => {
    expect(cruised.imports.get(file)).toContainEqual(
      expect.stringMatching(new RegExp(`^node_modules/${library}/`)),
    );
  });

  it('resolves the database’s import to the runtime’s module', () => {
    expect(cruised.imports.get('src/platform/database.ts')).toContain('node:sqlite');
  });
});
