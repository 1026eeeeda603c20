import type { Environment } from '../platform/environment.ts';
import type { Files } from '../platform/files.ts';
import { readConfigurationFile } from './configuration-file.ts';
import { shown } from './configuration-error.ts';
import { FILE_SETTING, isSettingName, type SettingName } from './names.ts';

/** Where a setting's text comes from: null when unset. An empty text counts as none. */
export interface Sources {
  /** The environment's, else the file's. */
  get(name: SettingName): string | null;
  fromEnvironment(name: SettingName): string | null;
  fromFile(name: SettingName): string | null;
  /** One for each name that is not a setting: most likely it is misspelt. */
  readonly warnings: readonly string[];
}

/** Throws a ConfigurationError when a file is named that cannot be used. */
export function readSources(environment: Environment, files: Files): Sources {
  const path = present(environment.get(FILE_SETTING));
  const file = path === null ? new Map<string, string>() : readConfigurationFile(files, path);
  const fromEnvironment = (name: SettingName): string | null => present(environment.get(name));
  const fromFile = (name: SettingName): string | null => present(file.get(name));
  const ours = Object.keys(environment.all()).filter(
    (name) => name.startsWith('APP_') && name !== FILE_SETTING,
  );
  return {
    get: (name) => fromEnvironment(name) ?? fromFile(name),
    fromEnvironment,
    fromFile,
    warnings: [
      ...unknownNames(ours, 'the environment'),
      ...unknownNames([...file.keys()], 'the configuration file'),
    ],
  };
}

function present(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function unknownNames(names: readonly string[], where: string): readonly string[] {
  return names
    .filter((name) => !isSettingName(name))
    .toSorted()
    .map((name) => `${shown(name)} in ${where} is no setting of this version: it is ignored`);
}
