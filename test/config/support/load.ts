import { expect } from 'vitest';
import {
  ConfigurationError,
  ConfigurationErrors,
} from '../../../src/config/configuration-error.ts';
import { loadConfiguration } from '../../../src/config/load-configuration.ts';
import { memoryEnvironment } from '../../../src/platform/environment.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { memoryFiles, type MemoryFile } from './memory-files.ts';

/** A secret: no message may contain it. */
export const CANARY = 'canary-5f1d2c9e7a';

/** Friday 6 November 2026. */
export const AT = epochMs(Date.parse('2026-11-06T11:00:00+05:30'));

export function load(
  environment: Record<string, string> = {},
  files: Readonly<Record<string, MemoryFile>> = {},
  at = AT,
) {
  return loadConfiguration({
    environment: memoryEnvironment(environment),
    files: memoryFiles(files),
    clock: { now: () => at },
  });
}

/** The message of a refused configuration. */
export function refusal(
  environment: Record<string, string>,
  files: Readonly<Record<string, MemoryFile>> = {},
): string {
  try {
    load(environment, files);
  } catch (error) {
    const isKnown = error instanceof ConfigurationError || error instanceof ConfigurationErrors;
    expect(isKnown, String(error)).toBe(true);
    return (error as Error).message;
  }
  throw new Error('the configuration was taken');
}
